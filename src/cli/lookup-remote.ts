import { Sightline, SightlineError } from '../client/index.ts';
import type { Input, Operation } from '../contract/operations/index.ts';
import type { Settings } from '../settings.ts';
import { UsageError } from './usage-error.ts';

/** One lookup by a service: the resource, or its error. */
export type RemoteAnswer =
  | { readonly ok: true; readonly resource: unknown }
  | { readonly ok: false; readonly code: string; readonly message: string };

/** Asks the service at this URL with the key in SIGHTLINE_API_KEY. */
export async function lookupRemote(url: string, operation: Operation, input: Input, settings: Settings): Promise<RemoteAnswer> {
  const apiKey = settings.SIGHTLINE_API_KEY;
  if (!apiKey) throw new UsageError('Set SIGHTLINE_API_KEY to your key of the service.');
  let client: Sightline;
  try {
    client = new Sightline({ baseUrl: url, apiKey, deadlineMs: settings[operation.deadline.setting] + 30_000 });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  try {
    return { ok: true, resource: await client.lookup(operation.id, input) };
  } catch (error) {
    if (error instanceof SightlineError) return { ok: false, code: error.code, message: error.message };
    throw error;
  }
}
