import type { DomainRegistration } from '../../contract/operations/registration.ts';
import { Card, Note, Pill } from '../parts/card.tsx';
import { capital, moment, plural, words } from '../parts/format.ts';
import { Facts, NotStatedLine } from '../parts/stated.tsx';
import { NextLookups } from '../workbench/next-links.tsx';
import { nullsIn, TwoColumns, tags, worded } from './shared.tsx';

const DAY_MS = 86_400_000;

/** Registration, last change, the answer itself and expiry on one line of time; the same as a list below. */
function Timeline({ resource }: { resource: DomainRegistration }) {
  const instants = {
    Registered: resource.registeredOn,
    'Last changed': resource.updatedOn,
    Asked: resource.scrapedAt,
    Expires: resource.expiresOn,
  };
  const stated = Object.entries(instants).flatMap(([name, at]) => (at === null ? [] : [{ name, at, time: Date.parse(at) }]));
  const points = stated.filter(({ time }) => !Number.isNaN(time));
  const [from, to] = [Math.min(...points.map((m) => m.time)), Math.max(...points.map((m) => m.time))];
  const x = (time: number): number => (to === from ? 50 : 2 + ((time - from) / (to - from)) * 96);
  return (
    <div class="timeline">
      <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect y="1.5" width="100" height="1" />
        {points.map(({ name, time }) => (
          <rect key={name} class={name === 'Asked' ? 'now' : 'point'} x={x(time) - 0.4} width="0.8" height="4" />
        ))}
      </svg>
      <ol>
        {stated.map(({ name, at }) => (
          <li key={name}>
            <strong>{name}</strong> <span class="about">{moment(at)}</span>
          </li>
        ))}
      </ol>
      <NotStatedLine names={nullsIn(instants)} />
    </div>
  );
}

function expiryWords({ expiresOn, scrapedAt }: DomainRegistration): string | null {
  const days = Math.floor((Date.parse(expiresOn ?? '') - Date.parse(scrapedAt)) / DAY_MS);
  return expiresOn && (days < 0 ? `expired ${plural(-days, 'day')} ago` : `${plural(days, 'day')} to expiry`);
}

/** A registration: state, days to expiry, line of time and its parts; or that there is no record, and what that says. */
export function DomainRegistrationView({ resource }: { resource: DomainRegistration }) {
  const { registrar, domain, contacts } = resource;
  const expiry = expiryWords(resource);
  const [name = domain] = domain.split('.');
  const contactCards = contacts.map((c, index) => (
    <Card
      key={`${index}${c.role}`}
      title={capital(c.role)}
      inset
      aside={c.redacted && <Pill tone="plain" icon="lock" text="Partly withheld" />}
    >
      <Facts
        facts={[
          ['Name', c.name],
          ['Organisation', c.organization],
          ['E-mail', c.email],
          ['Telephone', c.phone],
        ]}
      />
    </Card>
  ));
  return (
    <TwoColumns
      class="registration"
      about="Contacts"
      aside={
        <>
          <NextLookups
            lookups={[
              ['traffic', { domain }, 'Traffic of this domain'],
              ['serp', { keyword: name }, `Search for “${name}”`],
            ]}
          />
          {contacts.length ? contactCards : <NotStatedLine names={['Contacts']} />}
        </>
      }
    >
      <div class="toolbar">
        <h2>{domain}</h2>
        <Pill
          tone={resource.available ? 'good' : 'busy'}
          icon={resource.available ? 'check' : 'lock'}
          text={resource.available ? 'No registration' : 'Registered'}
        />
      </div>
      {resource.available ? (
        <Note>No registration record exists. That does not say that the name can be bought.</Note>
      ) : (
        expiry && <p class="figure">{expiry}</p>
      )}
      <Timeline resource={resource} />
      <Card title="Registrar">
        <Facts
          facts={[
            ['Name', registrar?.name ?? null],
            ['IANA id', registrar?.ianaId ?? null],
            ['Abuse e-mail', registrar?.abuseEmail ?? null],
            ['Abuse telephone', registrar?.abusePhone ?? null],
          ]}
        />
      </Card>
      <Card title="Record">
        <Facts
          facts={[
            ['Status', tags(resource.status.map(words))],
            ['Name servers', tags(resource.nameServers)],
            ['DNSSEC', worded(resource.dnssec, (isSigned) => (isSigned ? 'signed' : 'not signed'))],
            ['Record of', resource.source === 'authoritative' ? 'the registry itself (authoritative)' : 'a secondary source (fallback)'],
          ]}
        />
      </Card>
    </TwoColumns>
  );
}
