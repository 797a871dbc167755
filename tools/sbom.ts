import { readFileSync } from 'node:fs';

/** A package of the lock. */
interface Locked {
  readonly version: string;
  readonly integrity: string;
  readonly license?: string;
  readonly dev?: true;
  readonly optional?: true;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
  readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
);

function componentOf(path: string, { version, integrity, license, optional }: Locked) {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  return {
    type: 'library',
    name,
    version,
    scope: optional ? 'optional' : 'required',
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
    ...(license && { licenses: [{ license: { id: license } }] }),
  };
}

interface Brings {
  /** The package of the Node that the form brings. */
  readonly runtime?: string | null;
  /** The form is installed by npm, which installs the optional packages of dependencies too. */
  readonly byNpm?: boolean;
}

/** The software bill of materials (CycloneDX 1.5) of a form, as text: every package of the lock that is in it, or that its installation brings. */
export function sbomOf(name: string, version: string, { runtime = null, byNpm = false }: Brings = {}): string {
  const nodes = Object.keys(lock.packages['']?.optionalDependencies ?? {}).map((node) => `node_modules/${node}`);
  const used = Object.entries(lock.packages).filter(([path, { dev, optional }]) => {
    if (path === '' || dev) return false;
    return nodes.includes(path) ? path === `node_modules/${runtime}` : byNpm || !optional;
  });
  const all = used.map(([path, locked]) => ({
    ...componentOf(path, locked),
    ...(path === `node_modules/${runtime}` && { scope: 'required' }),
  }));
  // a package that lies in two folders is one component; the last of the same purl stays, so required ones come last
  const components = [...new Map(all.toSorted((a, b) => a.scope.localeCompare(b.scope)).map((one) => [one.purl, one])).values()];
  const metadata = { component: { type: 'application', name, version, licenses: [{ license: { id: 'Apache-2.0' } }] } };
  return `${JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, metadata, components }, null, 2)}\n`;
}
