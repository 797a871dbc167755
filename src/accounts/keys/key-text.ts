import { crc32 } from 'node:zlib';
import type { RandomBytes } from '../../runtime/uuid.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Digits that 160 bits take in base 62. */
const BODY = 27;
const CHECK = 6;
const SHAPE = /^sl_[0-9A-Za-z]{33}$/;
const SECRET = 'slcs_';

function base62(value: bigint, digits: number): string {
  let text = '';
  for (let left = value; text.length < digits; left /= 62n) text = ALPHABET[Number(left % 62n)] + text;
  return text;
}
function checkOf(body: string): string {
  let text = '';
  for (let left = crc32(body); text.length < CHECK; left = Math.floor(left / 62)) text = ALPHABET[left % 62] + text;
  return text;
}

function checked(randomBytes: RandomBytes): string {
  const body = base62(BigInt(`0x${Buffer.from(randomBytes(20)).toString('hex')}`), BODY);
  return `${body}${checkOf(body)}`;
}

/** A new raw key: `sl_`, 27 characters of base 62 (160 random bits), 6 of base 62 (CRC-32 of the 27). */
export const makeKey = (randomBytes: RandomBytes): string => `sl_${checked(randomBytes)}`;
/** A new client secret: `slcs_`, then as a key. */
export const makeClientSecret = (randomBytes: RandomBytes): string => SECRET + checked(randomBytes);

/** Whether the text can be a key at all: shape and checksum. Needs no store, so a scanner can ask. */
export const isKey = (text: string): boolean => SHAPE.test(text) && checkOf(text.slice(3, 3 + BODY)) === text.slice(3 + BODY);

/** Whether the text can be a client secret at all. */
export const isClientSecret = (text: string): boolean => text.startsWith(SECRET) && isKey(`sl_${text.slice(SECRET.length)}`);

/** What may be shown of a key, to tell keys apart. */
export const hintOf = (key: string): string => `${key.slice(0, 7)}…`;
