import { useSignal } from '@preact/signals';
import { CODES, type Codes } from '../../contract/parameters/code-names.ts';
import { Choices, SearchInput } from '../parts/controls.tsx';
import { nameOfCode } from '../parts/format.ts';
import { history } from './answer.ts';

interface CodeChoicesProps {
  /** Of the parameter: its values in the lookups of this page are offered first. */
  readonly name: string;
  readonly label: string;
  readonly codes: Codes;
  readonly value: string;
  readonly choose: (code: string) => void;
  readonly close: () => void;
}

const MOST_RECENT = 3;

const plainLetters = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Countries or languages by name: recent ones first, then A to Z. What is typed is sought in names and codes; Enter takes the first one. */
export function CodeChoices({ name, label, codes, value, choose, close }: CodeChoicesProps) {
  const sought = useSignal('');
  const recent = [...new Set(history.value.map(({ values }) => values[name] ?? ''))].filter((code) => CODES[codes].has(code));
  const named = [...CODES[codes]].map((code) => [code, nameOfCode(code, codes)] as const).sort(([, a], [, b]) => a.localeCompare(b, 'en'));
  const first = new Set([value, ...recent].slice(0, MOST_RECENT));
  const ordered = [...named.filter(([code]) => first.has(code)), ...named.filter(([code]) => !first.has(code))];
  const wanted = plainLetters(sought.value.trim());
  const rankOf = ([code, text]: readonly [string, string]): number => {
    const words = plainLetters(text);
    return code.toLowerCase() === wanted ? 0 : words.startsWith(wanted) ? 1 : words.includes(wanted) ? 2 : 3;
  };
  const found = wanted === '' ? ordered : named.filter((one) => rankOf(one) < 3).sort((a, b) => rankOf(a) - rankOf(b));
  const takeFirst = (event: KeyboardEvent & { currentTarget: HTMLElement }): void => {
    const [best] = found;
    if (event.key === 'ArrowDown') event.currentTarget.parentElement?.querySelector<HTMLElement>('input[type=radio]')?.focus();
    else if (event.key === 'Enter' && best) {
      if (wanted !== '') choose(best[0]);
      close();
    } else return;
    event.preventDefault();
  };
  const search = { label: `Find in ${label.toLowerCase()}`, hint: 'Name or code', value: sought.value, onKeyDown: takeFirst };
  return (
    <div class="code-choices">
      <SearchInput {...search} set={(text) => (sought.value = text)} />
      <Choices isList legend={label} value={value} choose={choose} choices={found.map(([code, text]) => [code, text, code])} />
      {found.length === 0 && <p class="none">{`Nothing is called “${sought.value.trim()}”.`}</p>}
    </div>
  );
}
