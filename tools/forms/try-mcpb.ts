/** Unpacks dist/sightline.mcpb and starts its server as a host of agents does: the command of the manifest, with the answers of a user. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { mcpbManifest } from './agents.ts';
import { PROJECT } from './app-folder.ts';
import { checkBill, start, stop, tryTools } from './try-program.ts';

const box = mkdtempSync(join(tmpdir(), 'sightline-mcpb-'));
try {
  execFileSync('unzip', ['-q', join(PROJECT, 'dist/sightline.mcpb'), '-d', box]);
  checkBill(readFileSync(join(PROJECT, 'dist/sightline.mcpb.sbom.json'), 'utf8'), box, null);
  const { server }: ReturnType<typeof mcpbManifest> = JSON.parse(readFileSync(join(box, 'manifest.json'), 'utf8'));
  const env = { PATH: dirname(process.execPath) };
  const { facts, child } = await start<{ baseUrl: string; apiKey: string }>(
    { command: [process.execPath, join(box, server.entry_point)], env },
    ['demo'],
    {},
  );
  const answers: Readonly<Record<string, string>> = {
    __dirname: box,
    'user_config.url': facts.baseUrl,
    'user_config.api_key': facts.apiKey,
  };
  const filled = (text: string): string => text.replace(/\$\{([\w.]+)\}/g, (whole, name: string) => answers[name] ?? whole);
  const { command, args, env: given } = server.mcp_config;
  const withKey = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, filled(value)]));
  await tryTools({ command: [command, ...args.map(filled)], env: { ...env, ...withKey } });
  await stop(child);
  console.log('bundle: its server answers a client');
} finally {
  rmSync(box, { recursive: true, force: true });
}
