import { crc32 } from 'node:zlib';
import type { RandomBytes } from '../../runtime/uuid.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Base-62 digits of 160 bits. */
const BODY = 27;
const CHECK = 6;
const SHAPE = /^sl_[0-9A-Za-z]{33}$/;
const SECRET = 'slcs_';
const OPERATOR = 'slo_';

function base62(value: bigint, digits: number): string {
  let text = '';
  for (let left = value; text.length < digits; left /= 62n) text = ALPHABET[Number(left % 62n)] + text;
  return text;
}
const checkOf = (body: string): string => base62(BigInt(crc32(body)), CHECK);

function checked(randomBytes: RandomBytes): string {
  const body = base62(BigInt(`0x${Buffer.from(randomBytes(20)).toString('hex')}`), BODY);
  return `${body}${checkOf(body)}`;
}

/** A new raw key: `sl_`, 27 characters of base 62 (160 random bits), 6 of base 62 (CRC-32 of the 27). */
export const makeKey = (randomBytes: RandomBytes): string => `sl_${checked(randomBytes)}`;
export const makeOperatorKey = (randomBytes: RandomBytes): string => OPERATOR + checked(randomBytes);
export const makeClientSecret = (randomBytes: RandomBytes): string => SECRET + checked(randomBytes);

/** Whether the text has the form and checksum of a key. Does not read the store, so secret scanners can use it. */
export const isKey = (text: string): boolean => SHAPE.test(text) && checkOf(text.slice(3, 3 + BODY)) === text.slice(3 + BODY);

const isOf = (prefix: string, text: string): boolean => text.startsWith(prefix) && isKey(`sl_${text.slice(prefix.length)}`);
export const isClientSecret = (text: string): boolean => isOf(SECRET, text);
export const isOperatorKey = (text: string): boolean => isOf(OPERATOR, text);

export const hintOf = (key: string): string => `${key.slice(0, 7)}…`;
