import type { AuditEntry, SourceState } from '../../contract/admin/schemas.ts';
import type { SourceCredential } from '../../contract/admin/source-credential-schemas.ts';
import { operationName } from '../app/operations.ts';
import { readWays, type Ways } from '../app/ways.ts';
import { admin } from '../parts/admin.tsx';
import { Card, Note, OutLink, Time } from '../parts/display.tsx';
import { day, plural, withMoments } from '../parts/format.ts';
import { pageOf } from '../parts/page.tsx';
import { OrderOfSource } from './order-of-source.tsx';
import { Credentials } from './source-key.tsx';
import { DriftLink, freeOf, priceOf, SEE, SourceStatePill, Spent } from './sources.tsx';
import { Stated } from './stated.tsx';

interface SourceData {
  readonly state: SourceState;
  /** Every source: to compare it with. */
  readonly sources: readonly SourceState[];
  readonly credentials: readonly SourceCredential[];
  readonly happened: readonly AuditEntry[];
  readonly ways: Ways;
}

async function readSource(name: string, signal: AbortSignal): Promise<SourceData> {
  const [{ sources }, credentials, happened, ways] = await Promise.all([
    admin('listSources', {}, signal),
    admin('listCredentials', {}, signal),
    admin('auditLog', { subject: name, limit: 10 }, signal),
    readWays(signal),
  ]);
  const state = sources.find((each) => each.name === name);
  if (!state) throw new Error(`There is no source ${name}: the list of sources has all.`);
  return { state, sources, credentials: credentials.filter(({ source }) => source === name), happened, ways };
}

const WORDS: Readonly<Record<string, string>> = {
  'source.credentials': 'credentials tried and stored',
  'source.credentials.refused': 'credentials tried, not stored',
  'source.credentials.remove': 'credentials removed',
  'source.check': 'checked',
};

function View({ data: { state, sources, credentials, happened, ways }, reload }: { data: SourceData; reload: () => Promise<void> }) {
  const { sunset, offer } = state;
  const used = state.operations.map(operationName).join(', ');
  return (
    <div class="columns facts-first">
      <div class="stack">
        <Card
          title="About"
          facts={[
            ['For', used],
            ['What it is', state.about],
            ['Price', priceOf(state)],
            ['Free', freeOf(state)],
            [
              'Terms',
              offer?.terms ? (
                <OutLink href={offer.terms}>{offer.terms.replace(/^https?:\/\//, '')}</OutLink>
              ) : (
                (state.terms ?? (offer ? SEE : undefined))
              ),
            ],
            ['Read on', offer ? day(offer.readOn) : undefined],
            ['Second-hand', offer?.copied.length ? `${offer.copied.join(', ')}: read in a copy by others` : undefined],
            ['Ends', sunset ? `${sunset.date === null ? 'announced' : day(sunset.date)}. ${withMoments(sunset.what)}` : 'no date stated'],
            [
              'Drifts',
              state.drifting.length > 0
                ? state.drifting.map((field) => <DriftLink key={field} source={state.name} field={field} />)
                : undefined,
            ],
            ['Spent today', <Spent key="spent" source={state} />],
          ]}
        />
      </div>
      <div class="stack">
        {credentials.length > 0 ? (
          <Credentials name={state.name} credentials={credentials} reload={reload} />
        ) : (
          <Note>
            It takes no credentials here.{' '}
            {state.lacking.length > 0 && (
              <>
                It lacks <code>{state.lacking.join(', ')}</code>, which {plural(state.lacking.length, 'setting')} of the environment.
              </>
            )}
          </Note>
        )}
        <Stated source={state} all={sources} />
        <Card
          title="What happened"
          aside={<a href={`/console/audit?_subject=${encodeURIComponent(state.name)}`}>Audit log</a>}
          none="Nothing yet."
          rows={happened.map(({ seq, at, action, actor }) => ({
            ...{ id: String(seq), first: WORDS[action] ?? action, second: actor, aside: <Time at={at} /> },
          }))}
        />
      </div>
      <div class="stack">
        <OrderOfSource name={state.name} ways={ways} all={sources} />
      </div>
    </div>
  );
}

export const SourcePage = pageOf<SourceData>(
  'source',
  (name) => ({
    title: name,
    back: ['/console/sources', 'Sources'],
    load: (signal) => readSource(name, signal),
    state: (data) => <SourceStatePill source={data.state} />,
  }),
  View,
);
