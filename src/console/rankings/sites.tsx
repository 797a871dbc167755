import { useState } from 'preact/hooks';
import { MOST_RIVALS } from '../../contract/account/constants.ts';
import { Button, Dialog } from '../parts/controls.tsx';
import { plural } from '../parts/format.ts';
import { Problem, wordsOf } from '../parts/page.tsx';
import { readableDomain } from '../parts/readable-domain.ts';
import { type ShownRankings, setCompared, WORDS } from './read.ts';

interface SitesFormProps {
  readonly shown: ShownRankings;
  readonly done: () => unknown;
  readonly cancel?: () => void;
}

/** The own site or app, and up to five rivals. */
export function SitesForm({ shown, done, cancel }: SitesFormProps) {
  const {
    sites,
    ranked,
    rankings: { seen },
  } = shown;
  const words = WORDS[ranked];
  const [texts, setTexts] = useState<readonly string[]>(() => {
    const all = [sites.own ?? '', ...sites.rivals].map(readableDomain);
    return Array.from({ length: MOST_RIVALS + 1 }, (_, i) => all[i] ?? '');
  });
  const [failed, setFailed] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const set = (index: number, text: string): void => setTexts(texts.map((one, i) => (i === index ? text : one)));
  const filled = texts.slice(1).flatMap((text, i) => (text.trim() === '' ? [] : [{ text: text.trim(), index: i + 1 }]));
  // the service names a rival by its place in what was sent
  const [, field = '', nth = '0'] = /^Field (?:apps\/)?(\w+)(?:\/(\d+))?/.exec(failed ?? '') ?? [];
  const wrongAt = field === 'own' ? 0 : field === 'rivals' ? (filled[Number(nth)]?.index ?? null) : null;
  const free = texts.findIndex((text) => text.trim() === '');
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setFailed(null);
    try {
      await setCompared(shown, { own: texts[0]?.trim() || null, rivals: filled.map(({ text }) => text) });
      done();
    } catch (error) {
      setFailed(wordsOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form class="sites" onSubmit={(e) => void submit(e)}>
      <div class="fields">
        {texts.map((text, index) => (
          <div class="field" key={index}>
            <label for={`site-${index}`}>{index === 0 ? words.own : `Rival ${index}`}</label>
            <input
              id={`site-${index}`}
              value={text}
              placeholder={index === 0 ? words.example : 'optional'}
              autocomplete="off"
              spellcheck={false}
              inputMode={ranked === 'sites' ? 'url' : 'text'}
              required={index === 0}
              aria-invalid={wrongAt === index}
              aria-describedby={wrongAt === index ? `site-${index}-wrong` : undefined}
              onInput={(e) => set(index, e.currentTarget.value)}
            />
            <Problem class="wrong" id={`site-${index}-wrong`} words={wrongAt === index ? failed : null} />
          </div>
        ))}
      </div>
      {seen.length > 0 && (
        <fieldset>
          <legend class="caption">Seen most in your own checks</legend>
          <p class="actions">
            {seen
              .map(({ site, keywords }) => ({ name: readableDomain(site), keywords }))
              .filter(({ name }) => !texts.includes(name))
              .map(({ name, keywords }) => (
                <Button
                  key={name}
                  icon="plus"
                  text={name}
                  aria-label={`${name}, for ${plural(keywords, 'keyword')}`}
                  title={plural(keywords, 'keyword')}
                  disabled={free < 0}
                  onClick={() => set(free, name)}
                />
              ))}
          </p>
        </fieldset>
      )}
      <p class="about">{words.hint} It can be changed at any time: places are read from stored checks.</p>
      {wrongAt === null && <Problem words={failed} />}
      <p class={cancel ? 'actions ends' : 'actions'}>
        {cancel && <Button class="quiet" text="Cancel" onClick={cancel} />}
        <button type="submit" class="primary" disabled={isBusy}>
          Save
        </button>
      </p>
    </form>
  );
}

export const SitesDialog = ({ close, done, ...form }: Omit<SitesFormProps, 'cancel'> & { readonly close: () => void }) => (
  <Dialog title={WORDS[form.shown.ranked].title} onClose={close}>
    <SitesForm {...form} done={done} cancel={close} />
  </Dialog>
);
