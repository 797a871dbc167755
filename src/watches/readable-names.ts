import { domainToUnicode } from 'node:url';
import { readableBy } from '../contract/readable-domain.ts';

const readableDomain = readableBy(domainToUnicode);
/** Each domain that stands alone in a text: as people write it, its form of the wire in brackets. An address is left as it is. */
export const withReadableNames = (text: string): string =>
  text.replace(/(?<![^\s,])[^\s,/@:?#]*xn--[^\s,/@:?#]*(?![^\s,])/gi, (name) => {
    const shown = readableDomain(name);
    return shown === name ? name : `${shown} (${name})`;
  });
