import type { DomainFacts, Person } from './facts.ts';
import type { Layout, Registry } from './registries.ts';

const day = (instant: string): string => instant.slice(0, 10);
const seconds = (instant: string): string => instant.replace('.000Z', 'Z');
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const dMonY = (instant: string): string => `${instant.slice(8, 10)}-${MONTHS[Number(instant.slice(5, 7)) - 1]}-${instant.slice(0, 4)}`;
/** Terms of use below a record; they mention limits, availability and records not found. */
export const TERMS = `\nTERMS OF USE: The registry database holds names that are not available for registration. You are not authorized to\naccess or query it by high-volume, automated processes; queries beyond the limit may be refused, and a record not found\nis no promise that a name is available.\n`;

function icann(facts: DomainFacts, registry: Registry): string {
  const { registrar } = facts;
  const contact = (label: string, p: Person) =>
    (['Name', 'Organization', 'Phone', 'Email'] as const).map((part) => {
      const shown =
        facts.privacy === 'shown'
          ? p[part.toLowerCase() as keyof Person]
          : part === 'Organization'
            ? p.organization
            : 'REDACTED FOR PRIVACY';
      return `${label} ${part}: ${shown}`;
    });
  return [
    `   Domain Name: ${facts.domain.toUpperCase()}`,
    `   Registry Domain ID: 1_DOMAIN-${registry.suffix.toUpperCase()}`,
    `   Registrar WHOIS Server: ${registry.thin ? registrar.whois : ''}`,
    `   Updated Date: ${seconds(facts.updatedOn)}`,
    `   Creation Date: ${seconds(facts.registeredOn)}`,
    `   Registry Expiry Date: ${seconds(facts.expiresOn)}`,
    `   Registrar: ${registrar.name}`,
    `   Registrar IANA ID: ${registrar.ianaId}`,
    `   Registrar Abuse Contact Email: ${registrar.abuseEmail}`,
    `   Registrar Abuse Contact Phone: ${registrar.abusePhone}`,
    ...facts.status.map((s) => `   Domain Status: ${s} https://icann.org/epp#${s}`),
    ...(registry.thin ? [] : [...contact('Registrant', facts.registrant), ...contact('Tech', facts.tech)]),
    ...facts.nameServers.map((ns) => `   Name Server: ${ns.toUpperCase()}`),
    `   DNSSEC: ${facts.signed ? 'signedDelegation' : 'unsigned'}`,
    '>>> Last update of whois database: 2026-10-31T23:59:00Z <<<',
    TERMS,
  ].join('\n');
}

const nominet = (facts: DomainFacts): string => `
    Domain name:
        ${facts.domain}

    Registrar:
        ${facts.registrar.name} [Tag = SANDBOX]
        URL: https://registrar.example

    Relevant dates:
        Registered on: ${dMonY(facts.registeredOn)}
        Expiry date:  ${dMonY(facts.expiresOn)}
        Last updated:  ${dMonY(facts.updatedOn)}

    Registration status:
        Registered until expiry date.

    Name servers:
${facts.nameServers.map((ns) => `        ${ns}`).join('\n')}

    WHOIS lookup made at 13:34:26 31-Oct-2026

--
${TERMS}`;

const afnic = (facts: DomainFacts): string => `%%
%% This is the simulated AFNIC Whois server.
%%

domain:                        ${facts.domain}
status:                        ACTIVE
eppstatus:                     active
hold:                          NO
holder-c:                      H1-FRNIC
tech-c:                        T1-FRNIC
registrar:                     ${facts.registrar.name}
Expiry Date:                   ${seconds(facts.expiresOn)}
created:                       ${seconds(facts.registeredOn)}
last-update:                   ${seconds(facts.updatedOn)}
source:                        FRNIC

${facts.nameServers.map((ns) => `nserver:                       ${ns}`).join('\n')}
source:                        FRNIC

registrar:                     ${facts.registrar.name}
country:                       FR
registered:                    1999-10-18T00:00:00Z
source:                        FRNIC

nic-hdl:                       H1-FRNIC
type:                          ORGANIZATION
contact:                       ${facts.registrant.organization}
phone:                         ${facts.registrant.phone}
e-mail:                        ${facts.registrant.email}
changed:                       2020-01-01T00:00:00Z
anonymous:                     NO
eppstatus:                     associated
source:                        FRNIC
`;

const sidn = (facts: DomainFacts): string => `Domain name: ${facts.domain}
Status:      active

Registrar:
   ${facts.registrar.name}
   Keizersgracht 1
   1015AA Amsterdam
   Netherlands

Abuse Contact:
   ${facts.registrar.abusePhone}
   ${facts.registrar.abuseEmail}

Creation Date: ${day(facts.registeredOn)}

Updated Date: ${day(facts.updatedOn)}

DNSSEC:      ${facts.signed ? 'yes' : 'no'}

Domain nameservers:
${facts.nameServers.map((ns) => `   ${ns}`).join('\n')}

Record maintained by: SIDN BV
${TERMS}`;

const iis = (facts: DomainFacts): string => `# Copyright (c) 1997- The simulated foundation.
state:            active
domain:           ${facts.domain}
holder:           sand0001-00001
created:          ${day(facts.registeredOn)}
modified:         ${day(facts.updatedOn)}
expires:          ${day(facts.expiresOn)}
${facts.nameServers.map((ns) => `nserver:          ${ns}`).join('\n')}
dnssec:           ${facts.signed ? 'signed delegation' : 'unsigned delegation'}
registry-lock:    unlocked
status:           ok
registrar:        ${facts.registrar.name}
`;

const jst = (instant: string): string => new Date(Date.parse(instant) + 9 * 3_600_000).toISOString();
const jprs = (facts: DomainFacts): string => `[ JPRS database provides information on network administration. Its use is    ]
[ restricted to network administration purposes.                               ]

Domain Information:
[Domain Name]                   ${facts.domain.toUpperCase()}

[Registrant]                    ${facts.registrant.organization}

${facts.nameServers.map((ns) => `[Name Server]                   ${ns}`).join('\n')}
[Signing Key]                   ${facts.signed ? '2371 13 2 ( 4A5B )' : ''}

[Created on]                    ${day(facts.registeredOn).replaceAll('-', '/')}
[Expires on]                    ${day(facts.expiresOn).replaceAll('-', '/')}
[Status]                        Active
[Last Updated]                  ${jst(facts.updatedOn).slice(0, 19).replaceAll('-', '/').replace('T', ' ')} (JST)

Contact Information:
[Name]                          ${facts.tech.name}
[Email]                         ${facts.tech.email}
`;

const eurid = (facts: DomainFacts): string => `% The WHOIS service allows persons to check whether a specific domain name
% is still available or not.

Domain: ${facts.domain}
Script: LATIN

Registrant:
        NOT DISCLOSED!
        Visit www.eurid.eu for the web-based WHOIS.

Technical:
        Organisation: ${facts.registrar.name}
        Language: en
        Email: ${facts.registrar.abuseEmail}

Registrar:
        Name: ${facts.registrar.name}
        Website: https://registrar.example

Name servers:
${facts.nameServers.map((ns) => `        ${ns}`).join('\n')}
${facts.signed ? '\nKeys:\n        flags:KSK protocol:3 algorithm:RSA_SHA256 pubKey:AwEAAb\n' : ''}
Please visit www.eurid.eu for more info.
`;

const nicit = (facts: DomainFacts): string => `
*********************************************************************
* Please note that the following result could be a subgroup of      *
* the data contained in the database.                               *
*********************************************************************

Domain:             ${facts.domain}
Status:             ok
Signed:             ${facts.signed ? 'yes' : 'no'}
Created:            ${facts.registeredOn.slice(0, 19).replace('T', ' ')}
Last Update:        ${facts.updatedOn.slice(0, 19).replace('T', ' ')}
Expire Date:        ${day(facts.expiresOn)}

Registrant
  Organization:     ${facts.registrant.organization}
  Created:          2018-03-02 19:04:02
  Last Update:      2018-03-02 19:04:02

Admin Contact
  Name:             hidden

Registrar
  Organization:     ${facts.registrar.name}
  Name:             SANDBOX-REG
  Web:              https://registrar.example
  DNSSEC:           yes


Nameservers
${facts.nameServers.map((ns) => `  ${ns}`).join('\n')}

`;

const denic = (facts: DomainFacts): string => `Domain: ${facts.domain}
${facts.nameServers.map((ns) => `Nserver: ${ns}`).join('\n')}
Status: connect
Changed: ${seconds(facts.updatedOn)}
`;

const RECORD: Readonly<Record<Layout, (facts: DomainFacts, registry: Registry) => string>> = {
  icann,
  nominet,
  afnic,
  sidn,
  iis,
  jprs,
  eurid,
  nicit,
  denic,
};
export const recordText = (facts: DomainFacts, registry: Registry): string => RECORD[registry.layout](facts, registry);
/** The registrar's own record, in the format of a thick registry. */
export const registrarText = (facts: DomainFacts, registry: Registry): string => icann(facts, { ...registry, thin: false });
