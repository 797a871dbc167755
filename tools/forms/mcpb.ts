/** `npm run mcpb` makes dist/sightline.mcpb, which hosts of agents install by a click, and dist/server.json for the MCP registry. Needs zip. */
import { cpSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mcpbManifest, SERVER, serverJson } from './agents.ts';
import { APP, normalise, PROJECT, provideApp } from './app-folder.ts';
import { describeForm } from './checksums.ts';
import { zipFolder } from './zip.ts';

const { values } = parseArgs({ options: { 'keep-app': { type: 'boolean', default: false } } });
provideApp(values['keep-app']);
const box = mkdtempSync(join(tmpdir(), 'sightline-mcpb-'));
try {
  writeFileSync(join(box, 'manifest.json'), `${JSON.stringify(mcpbManifest(), null, 2)}\n`);
  cpSync(APP, join(box, SERVER), { recursive: true });
  normalise(box);
  const target = join(PROJECT, 'dist/sightline.mcpb');
  zipFolder(box, target);
  const sha256 = describeForm(target, null);
  writeFileSync(join(PROJECT, 'dist/server.json'), `${JSON.stringify(serverJson(sha256), null, 2)}\n`);
  console.log(`dist/sightline.mcpb: ${statSync(target).size} bytes, SHA-256 ${sha256}`);
} finally {
  rmSync(box, { recursive: true, force: true });
}
