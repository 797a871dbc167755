// Before npm ci, on any Node: one line instead of what Node says of a package that it does not find. Arguments: folders that have packages of
// their own beside those of the checkout.
import { existsSync } from 'node:fs';

const refuse = (words) => {
  console.error(words);
  process.exit(1);
};
if (!existsSync(new URL('../node_modules/commander', import.meta.url)))
  refuse('The packages of this checkout are not installed yet: run "npm ci" first. It installs its Node too.');
for (const folder of import.meta.main ? process.argv.slice(2) : [])
  if (!existsSync(new URL(`../${folder}/node_modules`, import.meta.url)))
    refuse(`The packages of ${folder} are not installed yet: run "npm ci --prefix ${folder}" first.`);
