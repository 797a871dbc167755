import { readableDomain } from './readable-domain.ts';

/** A domain, broken over lines only where it is longer than its place: in Unicode, with the form of the wire in its title. */
export const Domain = ({ name }: { readonly name: string }) => {
  const shown = readableDomain(name);
  return (
    <span class="domain" title={shown === name ? undefined : name}>
      {shown}
    </span>
  );
};

/** A mail address, broken before its domain alone where it is longer than its place. */
export const Mail = ({ address }: { readonly address: string }) => {
  const [, name = address, domain = ''] = /^(.*@)([^@]+)$/.exec(address) ?? [];
  return (
    <>
      <span class="domain">{name}</span>
      {domain && <Domain name={domain} />}
    </>
  );
};
