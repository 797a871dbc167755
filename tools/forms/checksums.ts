import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sbomOf } from '../sbom.ts';
import { PROJECT } from './app-folder.ts';
import { type Arch, packageOf } from './node-of.ts';

const manifest: { readonly version: string } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));
export const { version: VERSION } = manifest;

/** Writes what lies beside a form: `<file>.sha256`, in the form that `sha256sum --check` reads, and `<file>.sbom.json`. `arch`: of the Node inside. Returns the sum. */
export function describeForm(file: string, arch: Arch | null): string {
  const sum = createHash('sha256').update(readFileSync(file)).digest('hex');
  writeFileSync(`${file}.sha256`, `${sum}  ${basename(file)}\n`);
  writeFileSync(`${file}.sbom.json`, sbomOf('sightline', VERSION, arch && packageOf(arch)));
  return sum;
}
