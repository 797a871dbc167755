const UNTRUSTED = 'set NODE_EXTRA_CA_CERTS to the file of the authority that signed it.';
const EXPIRED = 'renew it, or correct the clock of this machine.';
/** By the codes of Node's TLS errors. */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', UNTRUSTED],
  ['SELF_SIGNED_CERT_IN_CHAIN', UNTRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT', UNTRUSTED],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', UNTRUSTED],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', UNTRUSTED],
  ['CERT_HAS_EXPIRED', EXPIRED],
  ['CERT_NOT_YET_VALID', EXPIRED],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'connect by a host name that it has.'],
]);

/** Says of a server that this process refuses its certificate, and what to do; null if the error is another one. */
export function certificateRefusal(error: { readonly code?: string; readonly message?: string } | null): string | null {
  const remedy = REMEDIES.get(error?.code ?? '');
  // behind the first semicolon, Node advises its own options
  return remedy ? `has a certificate that is refused (${error?.message?.split(';')[0]}): ${remedy}` : null;
}
