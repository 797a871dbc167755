import { promises as dns, type LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { addressFault } from './guard.ts';

/** All addresses of a name; rejects if there are none. */
export type Lookup = (hostname: string) => Promise<readonly LookupAddress[]>;
export const systemLookup: Lookup = (hostname) => dns.lookup(hostname, { all: true });

/** The guard refused the address. Passed on as the error of the socket. */
export class AddressRefused extends Error {
  readonly code = 'ERR_ADDRESS_REFUSED';
}

/**
 * A lookup for `net.connect` and `tls.connect`: resolves the name once, checks every address, connects to the checked addresses only. One
 * forbidden address refuses the name, so that a resolver cannot add one to allowed addresses.
 */
export function pinned(lookup: Lookup, fault: (address: string) => string | null = addressFault): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname).then(
      (found) => {
        for (const { address } of found) {
          const why = fault(address);
          if (why) return callback(new AddressRefused(`${hostname} leads to ${address} (${why})`), '', 0);
        }
        const fit = options.family === 4 || options.family === 6 ? found.filter((a) => a.family === options.family) : found;
        const [first] = fit;
        if (!first) return callback(Object.assign(new Error(`${hostname} has no address`), { code: 'ENOTFOUND' }), '', 0);
        if (options.all) callback(null, [...fit]);
        else callback(null, first.address, first.family);
      },
      (error) => callback(error, '', 0),
    );
  };
}
/** The same without a check: for origins that a setting names. */
export const unchecked = (lookup: Lookup): LookupFunction => pinned(lookup, () => null);
