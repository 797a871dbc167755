/** A worker without a heartbeat for longer counts as stopped, so that no attempt waits for it. */
const WORKER_SILENT_MS = 800;
/** A gateway without a heartbeat for longer counts as stopped: its jobs are dropped. */
export const GATEWAY_SILENT_MS = 3_000;
const GATEWAY = 1;
const RETIRED = 2;

/** The roles of a process: gateway, worker for some sources, both, or neither (an observer). */
export interface Part {
  readonly gateway: boolean;
  readonly sources: readonly string[];
}
/** Names what a process has loaded of the credentials that were entered in the console; null: it reads none. */
export type LoadedCredentials = string | null;
export interface Members {
  /** The gateways that are heard of, by id. */
  readonly gateways: ReadonlyMap<string, LoadedCredentials>;
  readonly workers: readonly {
    readonly id: string;
    readonly queue: string;
    readonly accepts: readonly string[];
    readonly credentials: LoadedCredentials;
  }[];
  /** Numbers with those that have been silent for less than 10 s. */
  readonly listed: { readonly gateways: number; readonly workers: number };
}
export const NO_MEMBERS: Members = { gateways: new Map(), workers: [], listed: { gateways: 0, workers: 0 } };

/** How a member is listed in Redis; empty: an observer is not listed. */
export const entryOf = (
  id: string,
  { gateway, sources }: Part,
  retired: boolean,
  queue: string,
  credentials: LoadedCredentials = null,
): string =>
  gateway || sources.length ? JSON.stringify([id, (gateway ? GATEWAY : 0) + (retired ? RETIRED : 0), queue, credentials, ...sources]) : '';

/** The members of a list of entries and the times of their last heartbeats; each may be silent for `slackMs` longer. */
export function membersOf(list: readonly string[], nowMs: number, slackMs: number): Members {
  const gateways = new Map<string, LoadedCredentials>();
  const workers = [];
  const listed = { gateways: 0, workers: 0 };
  for (let i = 0; i + 1 < list.length; i += 2) {
    const silentMs = nowMs - Number(list[i + 1]);
    const [id, flags, queue, credentials, ...sources] = JSON.parse(list[i] ?? '[""]') as [
      string,
      number,
      string,
      LoadedCredentials,
      ...string[],
    ];
    if (flags & GATEWAY) listed.gateways++;
    if (sources.length) listed.workers++;
    if (flags & GATEWAY && silentMs < GATEWAY_SILENT_MS + slackMs) gateways.set(id, credentials);
    if (sources.length && silentMs < WORKER_SILENT_MS + slackMs)
      workers.push({ id, queue, accepts: flags & RETIRED ? [] : sources, credentials });
  }
  return { gateways, workers, listed };
}
