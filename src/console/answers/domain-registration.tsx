import type { DomainRegistration } from '../../contract/operations/registration/operation.ts';
import { Card, Note, NotStatedLine, Pill } from '../parts/display.tsx';
import { Domain, Mail } from '../parts/domain.tsx';
import { capital, day, exactTime, plural, words } from '../parts/format.ts';
import { nullsIn, OfDomain, TwoColumns, worded } from './shared.tsx';

const DAY_MS = 86_400_000;

/** Each mark of the line has a form of its own, which stands beside its word below. */
const MARKS: Readonly<Record<string, string>> = { Registered: 'dot', 'Last changed': 'diamond', Asked: 'bar-mark', Expires: 'triangle' };

/** Registration, last change, the answer itself and expiry on one line of time; the same as a list below. */
function Timeline({ resource: { registeredOn, updatedOn, scrapedAt, expiresOn } }: { resource: DomainRegistration }) {
  const instants = { Registered: registeredOn, 'Last changed': updatedOn, Asked: scrapedAt, Expires: expiresOn };
  const stated = Object.entries(instants).flatMap(([name, at]) => (at === null ? [] : [{ name, at, time: Date.parse(at) }]));
  const times = stated.map(({ time }) => time).filter(Number.isFinite);
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const x = (time: number): number => (to === from ? 50 : 2 + ((time - from) / (to - from)) * 96);
  return (
    <div class="timeline">
      <div class="line" aria-hidden="true">
        {stated.map(
          ({ name, time }) =>
            Number.isFinite(time) && <span key={name} class={`mark ${MARKS[name]}`} style={{ insetInlineStart: `${x(time)}%` }} />,
        )}
      </div>
      <ol>
        {stated.map(({ name, at }) => (
          <li key={name}>
            <span class={`mark ${MARKS[name]}`} aria-hidden="true" />
            <strong>{name}</strong>{' '}
            <time class="about" dateTime={at} title={exactTime(at)}>
              {day(at)}
            </time>
          </li>
        ))}
      </ol>
      <NotStatedLine names={nullsIn(instants)} />
    </div>
  );
}

function expiryWords({ expiresOn, scrapedAt }: DomainRegistration): string | null {
  // whole days (UTC), as watches count them
  const [expires, asked] = [expiresOn ?? '', scrapedAt].map((instant) => Math.floor(Date.parse(instant) / DAY_MS));
  const days = Number(expires) - Number(asked);
  return expiresOn && (days < 0 ? `expired ${plural(-days, 'day')} ago` : `${plural(days, 'day')} to expiry`);
}

export function DomainRegistrationView({ resource }: { resource: DomainRegistration }) {
  const { registrar, domain, contacts } = resource;
  const expiry = expiryWords(resource);

  const contactCards = contacts.map((c, index) => (
    <Card
      key={index}
      inset
      title={capital(c.role)}
      aside={c.redacted && <Pill tone="plain" icon="lock" text="Partly withheld" />}
      facts={{ Name: c.name, Organisation: c.organization, 'E-mail': c.email && <Mail address={c.email} />, Telephone: c.phone }}
    />
  ));
  return (
    <>
      <TwoColumns
        class="registration"
        about="Registrar"
        aside={
          <>
            <Card
              title="Registrar"
              facts={{
                Name: registrar?.name ?? null,
                'IANA id': registrar?.ianaId ?? null,
                'Abuse e-mail': registrar?.abuseEmail ? <Mail address={registrar.abuseEmail} /> : null,
                'Abuse telephone': registrar?.abusePhone ?? null,
              }}
            />
            <OfDomain domain={domain} other="traffic" />
          </>
        }
      >
        <div class="toolbar">
          <h2>
            <Domain name={domain} />
          </h2>
          {resource.available ? <Pill tone="good" text="No registration" /> : <Pill tone="busy" icon="lock" text="Registered" />}
        </div>
        {resource.available ? (
          <Note>No registration record exists. That does not say that the name can be bought.</Note>
        ) : (
          expiry && <p class="figure">{expiry}</p>
        )}
        <Timeline resource={resource} />
        <Card
          title="Record"
          facts={{
            Status: resource.status.map(words),
            'Name servers': resource.nameServers,
            DNSSEC: worded(resource.dnssec, (isSigned) => (isSigned ? 'signed' : 'not signed')),
            'Record of': resource.source === 'authoritative' ? 'the registry itself (authoritative)' : 'a secondary source (fallback)',
          }}
        />
        {contacts.length === 0 && <NotStatedLine names={['Contacts']} />}
      </TwoColumns>
      {contacts.length > 0 && (
        <section class="contacts" aria-label="Contacts">
          {contactCards}
        </section>
      )}
    </>
  );
}
