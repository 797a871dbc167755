import { type KeyObject, sign } from 'node:crypto';

/** One component of a message that a signature covers: its serialized identifier, and its value (RFC 9421, 2). */
export interface Covered {
  readonly identifier: string;
  readonly value: string;
}
/** Parameters of a signature in the order in which they are written (RFC 9421, 2.3): text as a String, a number as an Integer. */
export type SignatureParameters = Readonly<Record<string, string | number>>;

/** An sf-string (RFC 8941, 3.3.3). */
export const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** The components of a request that name its method and its resource (RFC 9421, 2.2). The query of a URL without one is "?". */
export const requestComponents = (method: string, url: URL): readonly Covered[] => [
  { identifier: '"@method"', value: method },
  { identifier: '"@authority"', value: url.host },
  { identifier: '"@path"', value: url.pathname },
  { identifier: '"@query"', value: url.search === '' ? '?' : url.search },
];

/** The text that is signed (RFC 9421, 2.5), and the value of the member of Signature-Input that describes it. */
export function signatureBase(
  covered: readonly Covered[],
  parameters: SignatureParameters,
): { readonly base: string; readonly input: string } {
  const written = Object.entries(parameters).map(([name, value]) => `;${name}=${typeof value === 'number' ? value : quoted(value)}`);
  const input = `(${covered.map(({ identifier }) => identifier).join(' ')})${written.join('')}`;
  const lines = [...covered, { identifier: '"@signature-params"', value: input }];
  return { base: lines.map(({ identifier, value }) => `${identifier}: ${value}`).join('\n'), input };
}

/** The values of one member of Signature-Input and of Signature, by an Ed25519 key (RFC 9421, 3.3.6). */
export function signMessage(
  covered: readonly Covered[],
  parameters: SignatureParameters,
  key: KeyObject,
): { readonly input: string; readonly signature: string } {
  const { base, input } = signatureBase(covered, parameters);
  return { input, signature: `:${sign(null, Buffer.from(base), key).toString('base64')}:` };
}
