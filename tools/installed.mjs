// Before npm ci, on any Node: one line instead of what Node says of a package that it does not find.
import { existsSync } from 'node:fs';

if (!existsSync(new URL('../node_modules/commander', import.meta.url))) {
  console.error('The packages of this checkout are not installed yet: run "npm ci" first. It installs its Node too.');
  process.exit(1);
}
