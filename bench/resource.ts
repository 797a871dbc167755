/** A registration of some 10 kB. */
/** `names`: name servers, of some 30 bytes each. */
export const resource = (domain: string, names = 330) => ({
  domain,
  available: false,
  registrar: null,
  registeredOn: '2001-02-03',
  expiresOn: '2031-02-03',
  updatedOn: null,
  status: ['ok'],
  nameServers: Array.from({ length: names }, (_, i) => `name-server-${i}.example.net`),
  dnssec: false,
  contacts: [],
  scrapedAt: '2026-11-01T00:00:00.000Z',
  source: 'authoritative' as const,
});

export const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
