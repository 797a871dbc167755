const strict = new TextDecoder('utf-8', { fatal: true });

/** Servers with another charset than UTF-8 (sources: Debian's whois, recorded answers). */
const CHARSETS: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    'whois.registro.br': 'iso-8859-1',
    'whois.nic.br': 'iso-8859-1',
    'whois.fi': 'iso-8859-1',
    'whois.isnic.is': 'iso-8859-1',
    'whois.nic.hu': 'iso-8859-1',
    'whois.dns.lu': 'iso-8859-1',
    'whois.norid.no': 'iso-8859-1',
    'whois.kg': 'windows-1251',
    'whois.domain.kg': 'windows-1251',
    'whois.nic.tr': 'windows-1254',
    'whois.trabis.gov.tr': 'windows-1254',
    'whois.jprs.jp': 'iso-2022-jp',
    'whois.nic.ad.jp': 'iso-2022-jp',
    'whois.kr': 'euc-kr',
    'whois.cnnic.cn': 'gb18030',
    'cwhois.cnnic.cn': 'gb18030',
  }),
);
const ESCAPE = 0x1b;
type Decoder = InstanceType<typeof TextDecoder>;
const others = new Map<string, Decoder>();

/** Decodes a WHOIS answer: ISO-2022-JP by its escapes, else UTF-8, else the server's charset, else windows-1252. */
export function decodeWhois(bytes: Uint8Array, host: string): string {
  if (bytes.includes(ESCAPE) && isIso2022(bytes)) return decoder('iso-2022-jp').decode(bytes);
  try {
    return strict.decode(bytes);
  } catch {
    return decoder(CHARSETS.get(host) ?? 'windows-1252').decode(bytes); // not UTF-8: the server's older charset
  }
}
function isIso2022(bytes: Uint8Array): boolean {
  const next = bytes[bytes.indexOf(ESCAPE) + 1];
  return next === 0x24 || next === 0x28;
}
function decoder(charset: string): Decoder {
  const known = others.get(charset) ?? new TextDecoder(charset);
  others.set(charset, known);
  return known;
}
