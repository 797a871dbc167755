import type { SourceState } from '../contract/admin/schemas.ts';
import { OPERATIONS } from '../contract/operations/index.ts';
import type { Drift } from '../monitoring/drift.ts';
import type { SourceHealth } from '../monitoring/source-health.ts';
import { instant } from '../runtime/clock.ts';
import { announcedSunset, missingSettings } from '../sources/availability.ts';
import { offerOf } from '../sources/recipes/offer.ts';
import type { Ports, Source } from '../sources/source.ts';
import { sourceWords } from '../sources/source-word.ts';
import type { Spending } from '../upstream/ports.ts';
import { restKeyOf } from './local-engine.ts';
import type { LookupParts } from './lookup.ts';

interface SourceStateParts extends Pick<LookupParts, 'sources' | 'settings' | 'breakers' | 'clock'>, Pick<Ports, 'pace'> {
  readonly health: SourceHealth;
  readonly drift: Pick<Drift, 'of'>;
  readonly spending: Spending;
}

/** The state of every source, in the order in which the sources of an operation are asked. */
export async function sourceStates(parts: SourceStateParts): Promise<readonly SourceState[]> {
  const facts = new Map(await Promise.all(parts.sources.map(async (source) => [source, await factsOf(source, parts)] as const)));
  const words = sourceWords(parts.sources, parts.settings, parts.clock.now(), (source) => facts.get(source) ?? null);
  const states = [...facts].map(([source, each]): SourceState => ({ ...each, state: words.get(source) ?? 'off' }));
  // a platform whose operations differ in one rule is two sources of one name, which share health, breaker and cap; one that is off answers nothing
  return [...Map.groupBy(states, ({ name }) => name).values()].flatMap((all) => {
    const configured = all.filter((state) => state.configured);
    const [first, ...others] = configured.length > 0 ? configured : all;
    return first ? [{ ...first, operations: [first, ...others].flatMap(({ operations }) => operations) }] : [];
  });
}

async function factsOf(source: Source, parts: SourceStateParts): Promise<Omit<SourceState, 'state'>> {
  const lacking = missingSettings(source, parts.settings);
  const { state, parts: known } = parts.breakers.stateOf(source.id);
  const restKeys = source.limitedByPart ? known.map((part) => restKeyOf(source.id, part)) : [restKeyOf(source.id, '')];
  const restsMs = await Promise.all(restKeys.map((key) => parts.pace.resting(key)));
  const restMs = Math.max(0, ...restsMs);
  const cap = source.dailyCap?.(parts.settings);
  const spent = cap && (await parts.spending.today(cap.key));
  return {
    name: source.id,
    area: source.operations[0] ? OPERATIONS[source.operations[0]].area.id : '',
    operations: source.operations,
    about: source.about,
    sunset: announcedSunset(source, parts.clock.now()),
    terms: source.terms ?? null,
    offer: offerOf(source.id),
    configured: lacking.length === 0,
    lacking,
    breaker: state,
    restingUntil: restMs > 0 ? instant(parts.clock.now() + restMs) : null,
    last24h: parts.health.of(source.id),
    drifting: parts.drift.of(source.id),
    spending:
      cap && spent
        ? { requestsToday: spent.requests, maxRequestsPerDay: cap.maxRequests, usdToday: spent.spentUsd, maxUsdPerDay: cap.maxUsd }
        : null,
  };
}
