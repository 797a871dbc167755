import { type Evidence, type Findings, type Gap, lagOf, meet, type Outage, type Seen } from './evidence.ts';

/** The platform notices a closed connection within this time. */
const SEEN_MS = 50;
/** A lock lasts 3 s and is renewed every second: a process frozen for less than this still owns it. */
const LOCK_RETENTION_MS = 1_900;
/** A resumed process learns at its next renewal that it lost its lock. */
const RENEWAL_MS = 1_100;
/** Loss of Redis is detected by a heartbeat every 150 ms with a timeout of 600 ms. */
const REDIS_NOTICED_MS = 1_000;
/**
 * How much later than its slot a request may arrive: a process that wakes more than 20 ms late requests another slot; transfer takes 20 ms.
 */
const LATE_MS = 40;
/** A request for which the process already had a slot when it was frozen arrives within this time after the process is resumed. */
const RUNNING_MS = 100;
const SECOND_MS = 1_000;

/** Limits of the platforms by host: interval between requests, and requests in a burst. The first match applies. */
const PACES: readonly (readonly [host: RegExp, everyMs: number, burst: number])[] = [
  [/^api\.dataforseo\.com$/, 40, 30],
  [/^whois\.iana\.org$/, 500, 2],
  [/^whois\.denic\.de$/, 500, 1],
  [/^whois\.domain-registry\.nl$/, 1_000, 1],
  [/^whois\./, 400, 2],
  [/rdap|^data\.iana\.org$/, 250, 4],
];
/** Hosts that name the registration server of a suffix: queried for many lookups, and by each worker separately. */
const DIRECTORIES: ReadonlySet<string> = new Set(['data.iana.org', 'whois.iana.org']);

export function checkUpstream(evidence: Evidence, findings: Findings): void {
  overlaps(evidence, findings);
  paces(evidence, findings);
}

/** No two upstream requests for one lookup overlap, unless the job was taken over. */
function overlaps(e: Evidence, { violations, count }: Findings): void {
  for (const [lookup, those] of Map.groupBy(e.seen, (s) => s.lookup)) {
    const [first] = those;
    if (!first || DIRECTORIES.has(first.host)) continue;
    const sorted = those.toSorted((a, b) => a.from - b.from);
    for (const [i, earlier] of sorted.entries()) {
      for (const later of sorted.slice(i + 1)) {
        const late = SEEN_MS + lagOf(e.stalls, { from: earlier.from, until: later.from + SEEN_MS });
        if (later.from >= earlier.until - late) continue;
        const why = takenOver(e, earlier, later);
        if (why) count(`questions asked again while the first request still ran: ${why}`);
        else violations.push(`${lookup}: asked by ${earlier.member} and, ${later.from - earlier.from} ms later, by ${later.member}`);
      }
    }
  }
}

/**
 * Why another worker owned the job: its process was frozen for longer than a lock lasts, or Redis, which stores the locks, was unavailable.
 */
function takenOver({ members, redisGaps, told }: Evidence, earlier: Seen, later: Seen): string | null {
  const between = { from: earlier.from, until: later.from };
  const gateways = new Set(told.map((t) => t.gateway.name));
  // a WHOIS query does not identify the client: any worker may have sent it
  const freezesOf = (asker: string): readonly Outage[] =>
    members
      .filter((m) => (asker === '' ? !gateways.has(m.name) : m.name === asker))
      .flatMap((m) => m.outages.filter((o) => o.kind === 'frozen'));
  const frozen = freezesOf(earlier.member).some((o) => later.from - o.from >= LOCK_RETENTION_MS && meet(o, between));
  if (frozen) return 'its process was frozen';
  const thawed = ({ member, from }: Seen): boolean =>
    freezesOf(member).some((o) => o.until - o.from >= LOCK_RETENTION_MS && from >= o.until && from <= o.until + RENEWAL_MS);
  if (thawed(earlier) || thawed(later)) return 'its process was thawed a moment ago';
  return redisGaps.some((gap) => meet(gap, between, REDIS_NOTICED_MS)) ? 'Redis was away' : null;
}

/** No sliding second contains more requests to a host than its pace allows. */
function paces(e: Evidence, { violations, most }: Findings): void {
  for (const [host, those] of Map.groupBy(e.seen, (s) => s.host)) {
    const [, everyMs, burst] = PACES.find(([pattern]) => pattern.test(host)) ?? [];
    if (everyMs === undefined || burst === undefined) {
      violations.push(`${host}: nobody knows its pace`);
      continue;
    }
    const sorted = those.toSorted((a, b) => a.from - b.from);
    let [from, worst] = [0, Number.NEGATIVE_INFINITY];
    let said = '';
    for (const [i, last] of sorted.entries()) {
      while ((sorted[from]?.from ?? 0) <= last.from - SECOND_MS) from++;
      const window = sorted.slice(from, i + 1);
      const late = LATE_MS + lagOf(e.stalls, { from: last.from - SECOND_MS, until: last.from });
      // in a half-open interval of L ms a pace allows burst + ceil(L / every) - 1 requests
      const allowed = burst + Math.ceil((SECOND_MS + late) / everyMs) - 1 + running(e, window);
      most(`most requests to ${host} in a second (${burst} at once, then one each ${everyMs} ms)`, window.length);
      if (window.length <= allowed || window.length - allowed <= worst) continue;
      worst = window.length - allowed;
      said = `${host}: ${window.length} requests in the second before ${new Date(last.from).toISOString()}, ${allowed} are allowed`;
    }
    if (said) violations.push(said);
  }
}

/** Number of processes that sent a request just after they were resumed: each was frozen between its slot and its request. */
function running({ members }: Evidence, window: readonly Seen[]): number {
  const thaws: Gap[] = members.flatMap((m) =>
    m.outages.filter(
      (o) =>
        o.kind === 'frozen' &&
        window.some((s) => (s.member === m.name || s.member === '') && s.from >= o.until && s.from <= o.until + RUNNING_MS),
    ),
  );
  return thaws.length;
}
