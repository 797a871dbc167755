import { camelCase, operationList } from '../src/contract/operations/index.ts';
import { formatted } from './formatted.ts';

const FOLDER = 'src/contract/operations';
const fileOf = (name: string, lines: readonly string[]): readonly [file: string, text: string] => {
  const file = `${FOLDER}/${name}`;
  return [file, formatted(file, ['// Written by npm run generate from the table of operations.', ...lines].join('\n'))];
};

/** The files that collect what stands beside each operation, so that a new operation needs no line in them. */
export function operationFolders(): Readonly<Record<string, string>> {
  const ids = operationList.map(({ id }) => id);
  const entries = ids.map((id) => `  '${id}': ${camelCase(id)},`);
  return Object.fromEntries([
    fileOf('presentations.ts', [
      "import type { OperationId, Resource } from './index.ts';",
      "import type { Presentation } from './presentation.ts';",
      ...ids.map((id) => `import { presentation as ${camelCase(id)} } from './${id}/presentation.ts';`),
      '',
      'export const PRESENTATIONS: { readonly [Id in OperationId]: Presentation<Resource<Id>> } = {',
      ...entries,
      '};',
    ]),
    fileOf('samples.ts', [
      ...ids.map((id) => `import ${camelCase(id)} from './${id}/sample.json' with { type: 'json' };`),
      '',
      '/** Answers of the demo: the examples of the description. */',
      'export const SAMPLES = {',
      ...entries,
      '};',
    ]),
  ]);
}
