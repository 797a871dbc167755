/** Channel of `notify`; the payload is the SHA-256 of the changed key. */
export const KEY_CHANNEL = 'sightline_keys';
