import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The hash of the files that patterns name. */
export function hashOf(root: string, patterns: readonly string[], more = ''): string {
  const hash = createHash('sha256').update(more);
  for (const file of globSync([...patterns], { cwd: root }).sort()) {
    if (file.endsWith('.test.ts') || !statSync(join(root, file)).isFile()) continue;
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  }
  return hash.digest('hex');
}
