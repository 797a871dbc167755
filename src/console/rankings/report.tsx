import { useState } from 'preact/hooks';
import { session, withQuery } from '../app/session.ts';
import { Button, Dialog, download, LinkButton } from '../parts/controls.tsx';
import { Problem, wordsOf } from '../parts/page.tsx';
import { readableDomain } from '../parts/readable-domain.ts';
import { queryHere, readAs, type ShownRankings } from './read.ts';

const FIELDS = [
  ['title', 'Title', 'Acme Widgets in search'],
  ['client', 'Client', 'whom it is for'],
  ['sender', 'Sender', 'who made it'],
] as const;

/** Browsers say where a page's request comes from on https and on loopback alone; an operator's account is named by a header. */
const mayOpen = (): boolean => isSecureContext && session.value?.kind === 'account';

/** The printable report of what the filters choose: to open and print, or as a file to send. */
export function ReportDialog({ shown: { sites, rankings }, close }: { shown: ShownRankings; close: () => void }) {
  const usual = {
    title: `${readableDomain(sites.own ?? rankings.sites[0] ?? '')} in search`,
    client: '',
    sender: session.value?.name ?? '',
  };
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>(usual);
  const [failed, setFailed] = useState<string | null>(null);
  const save = async (): Promise<void> => {
    setFailed(null);
    try {
      download(`rankings-${rankings.to}.html`, 'text/html', await readAs('html', texts));
      close();
    } catch (error) {
      setFailed(wordsOf(error));
    }
  };
  return (
    <Dialog title="Report" onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <p class="about">
          One page for a client, of what the filters choose: figures, visibility, what moved most, ten keywords; further keywords follow on
          the next pages. It prints on A4 and Letter, needs no script and makes no lookup.
        </p>
        <div class="fields">
          {FIELDS.map(([id, name, hint]) => (
            <div class="field" key={id}>
              <label for={`report-${id}`}>{name}</label>
              <input
                id={`report-${id}`}
                value={texts[id] ?? ''}
                placeholder={hint}
                maxLength={100}
                autocomplete="off"
                onInput={(e) => setTexts({ ...texts, [id]: e.currentTarget.value })}
              />
            </div>
          ))}
        </div>
        <Problem words={failed} />
        <p class="actions ends">
          <Button class="quiet" text="Cancel" onClick={close} />
          <button type="submit" class={mayOpen() ? undefined : 'primary'}>
            Save as a file
          </button>
          {mayOpen() && (
            <LinkButton
              class="primary"
              icon="print"
              isNewTab
              href={withQuery('/v1/account/rankings', { ...queryHere(), ...texts, format: 'html' })}
              text="Open to print"
            />
          )}
        </p>
      </form>
    </Dialog>
  );
}
