import type { Contact, DomainRegistration } from '../../contract/operations/registration.ts';
import { capital, moment, plural, words } from '../parts/format.ts';
import { Facts, NotStated, Stated, Tags } from '../parts/stated.tsx';

const DAY_MS = 86_400_000;

interface Moment {
  readonly name: string;
  readonly at: string | null;
}

/** Registration, last change, the answer itself and expiry on one line of time. */
function Timeline({ resource }: { resource: DomainRegistration }) {
  const moments: readonly Moment[] = [
    { name: 'Registered', at: resource.registeredOn },
    { name: 'Last changed', at: resource.updatedOn },
    { name: 'Asked', at: resource.scrapedAt },
    { name: 'Expires', at: resource.expiresOn },
  ];
  const times = moments.flatMap((m) => (m.at === null ? [] : [Date.parse(m.at)]));
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const x = (at: string): number => (to === from ? 50 : ((Date.parse(at) - from) / (to - from)) * 100);
  const summary = moments.map((m) => `${m.name} ${m.at === null ? 'not stated by the source' : moment(m.at)}`).join(', ');
  return (
    <figure class="chart timeline">
      <figcaption>Time of the registration</figcaption>
      <div class="line" role="img" aria-label={`Time of the registration: ${summary}`}>
        {moments.map(
          (m) =>
            m.at !== null && (
              <span key={m.name} class={`dot ${m.name === 'Asked' ? 'now' : ''}`} style={{ insetInlineStart: `${x(m.at)}%` }} />
            ),
        )}
      </div>
      <ol>
        {moments.map((m) => (
          <li key={m.name}>
            <strong>{m.name}</strong>
            <span>
              <Stated value={m.at}>{moment}</Stated>
            </span>
          </li>
        ))}
      </ol>
    </figure>
  );
}

function daysToExpiry({ expiresOn, scrapedAt }: DomainRegistration): string | null {
  if (expiresOn === null) return null;
  const days = Math.floor((Date.parse(expiresOn) - Date.parse(scrapedAt)) / DAY_MS);
  return days < 0 ? `expired ${plural(-days, 'day')} ago` : `${plural(days, 'day')} to expiry`;
}

const ContactCard = ({ contact }: { contact: Contact }) => (
  <section class="contact">
    <h4>
      {capital(contact.role)} {contact.redacted && <span class="label">Partly withheld</span>}
    </h4>
    <Facts
      facts={[
        ['Name', contact.name],
        ['Organisation', contact.organization],
        ['E-mail', contact.email],
        ['Telephone', contact.phone],
      ]}
    />
  </section>
);

/** A registration as a timeline, with its registrar, status, name servers and contacts; or that there is no record. */
export function DomainRegistrationView({ resource }: { resource: DomainRegistration }) {
  const { registrar } = resource;
  return (
    <article class="card registration">
      <header>
        <h3>{resource.domain}</h3>
        <p>
          {resource.available ? (
            <>
              <span class="label good">No registration</span> No registration record exists. That does not say that the name can be bought.
            </>
          ) : (
            <>
              <span class="label">Registered</span>{' '}
              <strong>
                {daysToExpiry(resource) ?? (
                  <>
                    Expiry <NotStated />
                  </>
                )}
              </strong>
            </>
          )}
        </p>
      </header>
      <Timeline resource={resource} />
      <Facts
        facts={[
          ['Registrar', registrar && <Stated key="registrar" value={registrar.name} />],
          ['IANA id', registrar && <Stated key="iana" value={registrar.ianaId} />],
          ['Abuse e-mail', registrar && <Stated key="email" value={registrar.abuseEmail} />],
          ['Abuse telephone', registrar && <Stated key="phone" value={registrar.abusePhone} />],
          ['Status', <Tags key="status" tags={resource.status.map(words)} />],
          ['Name servers', <Tags key="servers" tags={resource.nameServers} />],
          ['DNSSEC', resource.dnssec === null ? null : resource.dnssec ? 'signed' : 'not signed'],
          ['Record of', resource.source === 'authoritative' ? 'the registry itself (authoritative)' : 'a secondary source (fallback)'],
        ]}
      />
      {resource.contacts.length === 0 ? (
        <p class="small">Contacts: none stated by the source</p>
      ) : (
        <div class="two">
          {resource.contacts.map((c, at) => (
            <ContactCard key={`${at}${c.role}`} contact={c} />
          ))}
        </div>
      )}
    </article>
  );
}
