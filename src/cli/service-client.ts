import { type ClientOptions, Sightline, SightlineError } from '../client/index.ts';
import { fail } from './option-values.ts';

export { SightlineError };

/** A client of the service at this URL with the key in SIGHTLINE_API_KEY. Throws a UsageError. */
export function serviceClient(
  baseUrl: string,
  { SIGHTLINE_API_KEY: apiKey }: { readonly SIGHTLINE_API_KEY?: string | null | undefined },
  options: ClientOptions = {},
): Sightline {
  if (!apiKey) return fail('Set SIGHTLINE_API_KEY to your key of the service.');
  try {
    return new Sightline({ ...options, baseUrl, apiKey });
  } catch (error) {
    return fail((error as Error).message);
  }
}
