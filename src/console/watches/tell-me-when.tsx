import type { NotifyTarget } from '../../contract/account/notify-schemas.ts';
import type { Watch } from '../../contract/account/watch-schemas.ts';
import { operationOf } from '../app/operations.ts';
import { pageAt } from '../app/place.ts';
import { mayManage } from '../app/session.ts';
import { Card, type ListEntry, Pill, Rows, webAddress } from '../parts/display.tsx';
import { plural } from '../parts/format.ts';
import { fieldName } from './change-words.ts';
import { ChangeWatch } from './new-watch.tsx';
import { conditionWords, fieldWords, oneByOne, presetsIn } from './preset-fields.ts';
import { PRESETS, type Preset } from './presets.ts';
import { ICONS, targetName } from './target-acts.tsx';
import { addressOf, FORM_NAMES, targetState } from './targets.ts';

/** What a watch tells of, in the words of the form that makes it: conditions, and fields one by one. */
function rulesOf({ operation, fields, due }: Watch) {
  const presets = PRESETS[operation] ?? [];
  const others = oneByOne(operation, operationOf(operation)?.watched ?? [], fieldName);
  const { entries, ticked, left } = presetsIn([...presets, ...others], fields, due);
  const wordsOf = (of: readonly Preset[]): readonly string[] =>
    ticked.filter(({ preset }) => of.includes(preset)).map((one) => conditionWords(one, entries.length === 0));
  return { entries, conditions: wordsOf(presets), single: [...left.map((field) => fieldWords(field, fieldName)), ...wordsOf(others)] };
}

const Rules = ({ rules }: { rules: readonly string[] }) => (
  <Rows rows={rules.map((words) => ({ id: words, icon: 'check', first: words }))} />
);
/** More fields one by one are folded where there are conditions. */
const MOST_FIELDS = 3;

/** An address may hold a secret: of those of the web the host is shown. */
const toldRow = (target: NotifyTarget): ListEntry => {
  const { targetId, as, to } = target;
  const state = targetState(target);
  const where = webAddress(to)?.host ?? addressOf(to);
  return {
    ...{ id: targetId, icon: ICONS[as], first: <span title={targetName(target)}>{`${FORM_NAMES[as]}, ${where}`}</span> },
    aside: state.tone !== 'good' && state.text !== 'Not used yet' && <Pill {...state} />,
  };
};

interface TellMeWhenProps {
  readonly watch: Watch;
  /** Targets of the account. */
  readonly account: readonly NotifyTarget[];
  readonly done: () => unknown;
}
/** When a watch tells, and whom. */
export function TellMeWhen({ watch, account, done }: TellMeWhenProps) {
  const { entries, conditions, single } = rulesOf(watch);
  const isFolded = conditions.length > 0 && single.length > MOST_FIELDS;
  const told = (watch.notify ?? account).map(toldRow);
  if (watch.webhook) told.push({ id: 'webhook', icon: 'link', first: 'Webhook' });
  const feed: ListEntry = {
    ...{ id: 'feed', icon: 'bell', first: 'Only in the feed' },
    aside: mayManage() && watch.notify === null && <a href={pageAt('/console/messages')}>Add a target</a>,
  };
  return (
    <Card title="Tell me when" aside={watch.mayChange && <ChangeWatch watch={watch} done={done} />}>
      {entries.length > 0 && <p class="about">{`Of ${entries.join(' and ')}:`}</p>}
      <Rules rules={isFolded ? conditions : [...conditions, ...single]} />
      {isFolded && (
        <details>
          <summary>{plural(single.length, 'field')} one by one</summary>
          <Rules rules={single} />
        </details>
      )}
      <Rows rows={told.length > 0 ? told : [feed]} />
    </Card>
  );
}
