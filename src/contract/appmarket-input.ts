import { bad, good, type Read } from './input.ts';

/** A handle as it stands in the marketplace's own addresses. */
export function readHandle(given: string): Read<string> {
  const handle = given.trim().toLowerCase();
  return /^[a-z0-9](?:[a-z0-9_.-]{0,118}[a-z0-9_-])?$/.test(handle)
    ? good(handle)
    : bad('must be a handle as in the address of its page: letters, digits, - and _');
}
