import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sbomOf } from '../sbom.ts';
import { PROJECT } from './app-folder.ts';
import { type Arch, packageOf } from './node-of.ts';

const manifest: { readonly version: string } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));
export const { version: VERSION } = manifest;

/** The bill of materials of a form that brings the Node of `arch`, or none. */
export const billOf = (arch: Arch | null): string => sbomOf('sightline', VERSION, { runtime: arch && packageOf(arch) });

/** Writes `<file>.sha256`, in the form that `sha256sum --check` reads. Returns the sum. */
export function writeSum(file: string): string {
  const sum = createHash('sha256').update(readFileSync(file)).digest('hex');
  writeFileSync(`${file}.sha256`, `${sum}  ${basename(file)}\n`);
  return sum;
}

/** Writes what lies beside a form that is not for npm: its sum, and `<file>.sbom.json`. `arch`: of the Node inside. Returns the sum. */
export function describeForm(file: string, arch: Arch | null): string {
  const sum = writeSum(file);
  writeFileSync(`${file}.sbom.json`, billOf(arch));
  return sum;
}
