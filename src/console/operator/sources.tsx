import type { SourceCheck, SourceState } from '../../contract/admin/schemas.ts';
import { ALWAYS, SOURCE_STATES, SOURCE_WORDS, type SourceWord } from '../../contract/admin/source-words.ts';
import { addWords, sourceAt } from '../app/ask-for.tsx';
import { operationName } from '../app/operations.ts';
import { contract } from '../app/session.ts';
import { AdminAct, admin } from '../parts/admin.tsx';
import { LinkButton } from '../parts/controls.tsx';
import { Coverage, CoverageKey } from '../parts/coverage.tsx';
import { Pill, type Tone, Used } from '../parts/display.tsx';
import { ChoiceFilter, filterOf, Search } from '../parts/filters.tsx';
import { day, dollars, number, plural, withMoments } from '../parts/format.ts';
import { ListPage } from '../parts/grid.tsx';
import type { IconName } from '../parts/icons.tsx';
import type { Column } from '../parts/table.tsx';
import { NoProvider } from './no-provider.tsx';
import '../charts/chart.css';
import '../parts/grid.css';

type Hour = SourceState['last24h']['hours'][number];
const SHAPES = { dot: 'M0 15h3v1h-3z', full: 'M0 0h3v16h-3z', half: 'M0 8h3v8h-3z', broken: 'M0 0h3v6h-3zM0 10h3v6h-3z' } as const;
const shapeOf = ({ attempts, good }: Hour): keyof typeof SHAPES =>
  attempts === 0 ? 'dot' : good / attempts >= 0.9 ? 'full' : good / attempts >= 0.5 ? 'half' : 'broken';

/** 24 hours, oldest first: full = answered, half = often not, broken = mostly failed, dot = not asked. */
export function Health({ hours }: { hours: readonly Hour[] }) {
  const states = hours.map(shapeOf);
  const count = (state: string): number => states.filter((each) => each === state).length;
  const words = `Last 24 hours: ${count('full')} good, ${count('half')} half, ${count('broken')} failed, ${count('dot')} not asked`;
  return (
    <svg class="health" width={hours.length * 4} height="16" role="img" aria-label={words}>
      {states.map((state, i) => (
        <path key={i} class={state} transform={`translate(${i * 4})`} d={SHAPES[state]} />
      ))}
    </svg>
  );
}

export const CAP_SETTING = 'SIGHTLINE_DAILY_CAPS';
/** Share of its cap that a source has used today: of requests or of US dollars, whichever is nearer to its end; null: no cap, or not used. */
export function capShare({ configured, spending }: SourceState): number | null {
  if (!configured || !spending) return null;
  const of = (used: number, most: number): number => (most > 0 ? used / most : 0);
  return Math.max(of(spending.requestsToday, spending.maxRequestsPerDay), of(spending.usdToday, spending.maxUsdPerDay));
}

const LOOKS: Readonly<Record<SourceWord, readonly [tone: Tone, icon: IconName]>> = {
  failing: ['bad', 'close'],
  refused: ['bad', 'close'],
  resting: ['warn', 'clock'],
  drifting: ['warn', 'wave'],
  ending: ['warn', 'clock'],
  in_use: ['good', 'check'],
  environment: ['busy', 'lock'],
  standing_by: ['plain', 'minus'],
  no_key: ['plain', 'plug'],
  off: ['plain', 'minus'],
};
export function SourceStatePill({ source: { state, sunset } }: { source: SourceState }) {
  const [tone, icon] = LOOKS[state];
  const until = state === 'ending' && sunset?.date ? ` ${day(sunset.date)}` : '';
  return <Pill tone={tone} icon={icon} text={`${SOURCE_WORDS[state]}${until}`} />;
}
export const byHarm = (sources: readonly SourceState[]): readonly SourceState[] =>
  [...sources].sort((a, b) => SOURCE_STATES.indexOf(a.state) - SOURCE_STATES.indexOf(b.state));

export function Spent({ source }: { source: SourceState }) {
  const used = capShare(source);
  if (used === null || !source.spending) return <>{source.configured ? 'no cap' : '–'}</>;
  const { requestsToday, maxRequestsPerDay, usdToday, maxUsdPerDay } = source.spending;
  const requests = `${number(requestsToday)} of ${number(maxRequestsPerDay)}`;
  const words = maxUsdPerDay > 0 ? `${dollars(usdToday)} of ${dollars(maxUsdPerDay)}` : requests;
  return <Used words={words} share={used} title={`${requests} requests; cap: ${CAP_SETTING}`} />;
}

export const SEE = 'see the provider';
/** What a source costs, in the words of its provider. One without a daily cap costs nothing. */
export const priceOf = ({ spending, offer }: SourceState): string => (spending === null ? 'nothing' : (offer?.price ?? SEE));
export const freeOf = ({ spending, offer }: SourceState): string => (spending === null ? ALWAYS : (offer?.free ?? SEE));
const usdOf1000 = ({ spending, offer }: SourceState): number | null =>
  spending === null ? 0 : offer === null || offer.usdEach === null ? null : 1000 * offer.usdEach;

export function priceOf1000(source: SourceState): string {
  const usd = usdOf1000(source);
  return usd === null ? '–' : usd === 0 ? '$0' : dollars(usd);
}

/** What its price of one request does not say: an end, the platform's terms, and what follows the price in its provider's words. */
const beforeOf = ({ sunset, terms, offer }: SourceState): string | null =>
  (sunset && withMoments(sunset.what)) ??
  terms ??
  ((offer?.usdEach === null ? offer.price : offer?.price?.split('; ').slice(1).join('; ')) || null);

const failuresOf = ({ failures }: SourceState['last24h']): string => {
  const counts = Object.entries(failures);
  return counts.map(([tag, count]) => `${tag} ${number(count)}`).join(', ');
};

const hoursAsked = ({ last24h }: SourceState): number => last24h.hours.filter((h) => h.attempts > 0).length;

export const driftAt = (source: string, field: string): string =>
  `/console/drift/${encodeURIComponent(source)}/${encodeURIComponent(field)}`;
export const DriftLink = ({ source, field }: { source: string; field: string }) => <a href={driftAt(source, field)}>{field} </a>;

const COLUMNS: readonly Column<SourceState>[] = [
  { id: 'source', name: 'Source', value: (s) => s.name, of: (s) => <span title={s.about}>{s.name}</span> },
  { id: 'state', name: 'State', value: (s) => SOURCE_WORDS[s.state], of: (s) => <SourceStatePill source={s} /> },
  {
    id: 'states',
    name: 'States',
    value: ({ offer }) => offer?.states.length || null,
    of: ({ offer }) => (offer && offer.states.length + offer.lacks.length > 0 ? <Coverage {...offer} /> : null),
  },
  { id: 'free', name: 'Free', value: freeOf, roomy: true },
  {
    id: 'price',
    name: 'Price of 1,000',
    as: 'number',
    value: usdOf1000,
    of: (s) => <span title={priceOf(s)}>{priceOf1000(s)}</span>,
  },
  {
    id: 'before',
    name: 'Know before',
    value: beforeOf,
    of: (s) => beforeOf(s) && <span class="cell" title={beforeOf(s) ?? ''} children={beforeOf(s)} />,
    roomy: true,
  },
  { id: 'hours', name: '24 hours', value: hoursAsked, of: (s) => <Health hours={s.last24h.hours} />, roomy: true },
  { id: 'attempts', name: 'Attempts', as: 'number', value: (s) => s.last24h.attempts, hidden: true },
  { id: 'found', name: 'Answered', as: 'share', value: (s) => s.last24h.successShare, hidden: true },
  { id: 'median', name: 'Median', as: 'duration', value: (s) => s.last24h.medianMs, hidden: true },
  { id: 'spent', name: 'Spent today', value: (s) => s.spending?.usdToday ?? null, of: (s) => <Spent source={s} />, roomy: true },
  {
    id: 'lacks',
    name: 'Drift, or what it lacks',
    // its page says it, too
    hidden: true,
    value: (s) => [...s.lacking, ...s.drifting].join(' '),
    of: (s) =>
      s.lacking.length ? (
        <code>{s.lacking.join(' ')}</code>
      ) : (
        s.drifting.map((field) => <DriftLink key={field} source={s.name} field={field} />)
      ),
  },
  {
    id: 'ends',
    // the state says it, too
    hidden: true,
    name: 'Ends',
    value: (s) => s.sunset && (s.sunset.date ?? 'announced'),
    of: ({ sunset }) =>
      sunset && (
        <a
          href={sunset.reference}
          title={withMoments(`${sunset.what} What remains: ${sunset.instead}`)}
          target="_blank"
          rel="noopener noreferrer"
        >
          {sunset.date === null ? 'announced' : day(sunset.date)}
        </a>
      ),
  },
  { id: 'failures', name: 'Failures', value: (s) => failuresOf(s.last24h), hidden: true },
  { id: 'rests', name: 'Rests until', as: 'time', value: (s) => s.restingUntil, hidden: true },
  { id: 'operations', name: 'Operations', value: (s) => s.operations.map(operationName).join(', '), hidden: true },
  { id: 'terms', name: 'Terms', value: (s) => s.terms, hidden: true },
];

const CHOICES = Object.entries({ '': 'All', attention: 'Attention', use: 'In use', lacking: 'No key or off' });
export const needsAttention = ({ state }: SourceState): boolean => ['failing', 'refused', 'resting', 'drifting'].includes(state);
const isIn = (choice: string, source: SourceState): boolean => {
  if (choice === 'attention') return needsAttention(source) || (capShare(source) ?? 0) >= 0.9;
  if (choice === 'use') return source.configured;
  return choice === '' || !source.configured;
};

const isFound = (words: string, { name, about, operations }: SourceState): boolean =>
  [name, about, ...operations.map(operationName)].join(' ').toLowerCase().includes(words.toLowerCase());
/** The button of a row leads to the page of its source, for what is to be done there. */
const stepOf = (source: SourceState): string =>
  needsAttention(source) ? 'Look' : source.state === 'no_key' ? addWords(source.lacking) : 'Open';

const checkText = (rows: readonly SourceCheck[]): string => {
  const others = rows.filter(({ state }) => state !== 'works');
  const said = others.map(({ source, state, why, advice }) =>
    [`${source}: ${state.replace('_', ' ')}.`, why, advice].filter(Boolean).join(' '),
  );
  return [`${rows.length - others.length} of ${plural(rows.length, 'source')} work.`, ...said].join('\n');
};

/** By what they answer, in the order of the operations. */
function groupsOf(sources: readonly SourceState[]): readonly (readonly [string, readonly SourceState[]])[] {
  const operations = Map.groupBy(contract.value?.operations ?? [], ({ area }) => area);
  const ofArea = Map.groupBy(sources, ({ area }) => area);
  return [...new Set([...operations.keys(), ...ofArea.keys()])].map((area) => [
    operations
      .get(area)
      ?.map(({ name }) => name)
      .join(', ') ?? area,
    ofArea.get(area) ?? [],
  ]);
}

export function SourcesPage() {
  const [choice = '', words = ''] = ['_state', '_q'].map(filterOf);
  return (
    <ListPage
      title="Sources"
      about={`One bar an hour: full = answered, half = often not, broken = mostly failed. Breaker and the 24 hours are those of the process that answers, since its start. Caps are those of ${CAP_SETTING}.`}
      icon="plug"
      none="No source in this state"
      columns={COLUMNS}
      groups={groupsOf}
      keyOf={(s) => s.name}
      hrefOf={(s) => sourceAt(s.name)}
      load={async (_, signal) =>
        byHarm((await admin('listSources', {}, signal)).sources).filter((s) => isIn(choice, s) && isFound(words, s))
      }
      summary={() => (
        <>
          <NoProvider />
          <CoverageKey />
        </>
      )}
      actions={(s) => <LinkButton href={sourceAt(s.name)} text={stepOf(s)} of={s.name} />}
      isLive
      acts={() => (
        <>
          <AdminAct
            action="checkSources"
            ask={{ source: 'Source', paid: { name: 'Paid sources', choices: [['true', 'Ask them as well']] } }}
            then={checkText}
          />
          <AdminAct
            action="purgeCache"
            ask={{ operation: { choices: contract.value?.operations.map(({ id }) => [id, id]) } }}
            then={({ dropped }) => `${plural(dropped, 'kept answer')} dropped.`}
          />
        </>
      )}
    >
      <Search id="_q" label="Find a source" />
      <ChoiceFilter id="_state" name="State" choices={CHOICES} />
    </ListPage>
  );
}
