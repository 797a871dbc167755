/**
 * Runs the given test files one after the other in this process. Each is a suite of the name of the file: its hooks apply to its own tests,
 * and it is loaded when the one before it is done. A file that cannot be loaded is a failed suite.
 */
import { resolve } from 'node:path';
import { describe } from 'node:test';

for (const file of process.argv.slice(2))
  await describe(file, async () => {
    await import(resolve(file));
  });
