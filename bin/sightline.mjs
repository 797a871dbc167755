#!/usr/bin/env node
// Starts the command line: on the running Node, or where that is too old, in a checkout, on the one that npm ci installed.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import * as module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const ofCheckout = join(here, '../tools/installed.mjs');
if (existsSync(ofCheckout)) await import(ofCheckout);
const entry = existsSync(join(here, '../src/cli/main.ts')) ? join(here, '../src/cli/main.ts') : join(here, '../dist/src/cli/main.js');

// before 24.16 node:sqlite cut a text at a NUL
const [major, minor] = process.versions.node.split('.').map(Number);
if (major > 24 || (major === 24 && minor >= 16)) {
  // later starts neither strip types nor compile again
  module.enableCompileCache?.();
  process.argv[1] = entry;
  await import(entry);
} else {
  let node;
  try {
    node = join(dirname(module.createRequire(import.meta.url).resolve(`node-linux-${process.arch}/package.json`)), 'bin/node');
  } catch {
    console.error(`sightline needs Node >= 24.16, and this is ${process.version}: install a newer Node.js.`);
    process.exit(1);
  }
  const child = spawn(node, [entry, ...process.argv.slice(2)], { stdio: 'inherit' });
  // a terminal sends Ctrl-C to both processes, and a second signal ends the service without its drain
  const isSent = (signal) => signal === 'SIGINT' && process.stdin.isTTY;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => isSent(signal) || child.kill(signal));
  child.on('error', (error) => {
    console.error(error.message);
    process.exit(2);
  });
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
}
