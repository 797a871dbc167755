/** Encodings that files of spreadsheets have, as the Encoding Standard names them, with their usual names. */
export const ENCODINGS = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16, big-endian',
  'windows-1252': 'Windows-1252 (Western Europe)',
  'windows-1250': 'Windows-1250 (Central Europe)',
  'windows-1251': 'Windows-1251 (Cyrillic)',
  shift_jis: 'Shift JIS (Japanese)',
  gb18030: 'GB 18030 (Chinese)',
} as const;
export type Encoding = keyof typeof ENCODINGS;

const canDecode = (bytes: Uint8Array, encoding: Encoding): boolean => {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
};

/** The encoding of a file: by its byte order mark, else UTF-8 where it is valid, else UTF-16 where every second byte is zero, else Windows-1252. */
export function encodingOf(bytes: Uint8Array): Encoding {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, 2_000);
  const zeros = (odd: 0 | 1): number => sample.filter((byte, index) => byte === 0 && index % 2 === odd).length;
  if (zeros(1) > sample.length * 0.3) return 'utf-16le';
  if (zeros(0) > sample.length * 0.3) return 'utf-16be';
  return canDecode(bytes, 'utf-8') ? 'utf-8' : 'windows-1252';
}

export const decoded = (bytes: Uint8Array, encoding: Encoding): string => new TextDecoder(encoding).decode(bytes);

/** Why a file is no text; null: it may be one. */
export function noText(bytes: Uint8Array, name: string): string | null {
  if (bytes.length === 0) return 'The file is empty.';
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3;
  const isOle = bytes[0] === 0xd0 && bytes[1] === 0xcf && bytes[2] === 0x11;
  if (isZip || isOle) return `${name} is a file of a spreadsheet program: save it as CSV there, and choose that file.`;
  const encoding = encodingOf(bytes);
  return encoding === 'windows-1252' && bytes.subarray(0, 4_000).includes(0)
    ? `${name} is no text: choose CSV, NDJSON or a plain list.`
    : null;
}
