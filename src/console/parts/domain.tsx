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
