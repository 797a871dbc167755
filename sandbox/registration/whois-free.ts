import type { Layout } from './registries.ts';
import { TERMS } from './whois-texts.ts';

/** Each server's response for an unregistered domain name. */
export const FREE: Readonly<Record<Layout, (domain: string) => string>> = {
  icann: (domain) => `No match for "${domain.toUpperCase()}".\n>>> Last update of whois database: 2026-10-31T23:59:00Z <<<\n${TERMS}`,
  nominet: (domain) => `\n    No match for "${domain}".\n\n    This domain name has not been registered.\n${TERMS}`,
  afnic: () => '%%\n%% This is the simulated AFNIC Whois server.\n%%\n\n%% NOT FOUND\n',
  sidn: (domain) => `${domain} is free\n`,
  iis: (domain) => `# Copyright (c) 1997- The simulated foundation.\ndomain "${domain}" not found.\n`,
  jprs: () => '[ JPRS database provides information on network administration. ]\n\nNo match!!\n',
  eurid: (domain) =>
    `% The WHOIS service allows persons to check whether a name\n% is still available or not.\n\nDomain: ${domain}\nScript: LATIN\nStatus: AVAILABLE\n`,
  nicit: (domain) => `Domain:             ${domain}\nStatus:             AVAILABLE\n`,
  denic: (domain) => `Domain: ${domain}\nStatus: free\n`,
};
