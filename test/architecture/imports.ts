import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

export interface Import {
  readonly from: string;
  readonly to: string;
  /** `import type` or `export type`: nothing is loaded. */
  readonly typeOnly?: boolean;
}

/** Source files below the folders, tests aside, with `/` as separator. */
export const sourceFiles = (folders: readonly string[]): readonly string[] =>
  folders
    .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx}`, { exclude: ['**/node_modules/**'] }))
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .sort();

/** Code without comments; text in quotes stays. */
const withoutComments = (text: string): string => text.replace(/^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*)$/gm, '');

const SPECIFIER = /(?:\bfrom|\bimport\(|^import)\s*'(\.[^']+)'|new URL\('(\.[^']+\.tsx?)', import\.meta\.url\)/gm;

/** Whether the import or export statement that ends before `end` is of types alone. */
const isOfTypes = (code: string, end: number): boolean =>
  /^(?:import|export) type /.test([...code.slice(0, end).matchAll(/^(?:import|export)\b[^;]*$/gm)].at(-1)?.[0] ?? '');

/** Relative imports of a file: static, type-only, dynamic, re-exports, and files named for a worker thread. */
export function importsOf(file: string, text: string = readFileSync(file, 'utf8')): readonly Import[] {
  const code = withoutComments(text);
  return [...code.matchAll(SPECIFIER)].map((match) => ({
    from: file,
    to: posix.normalize(posix.join(posix.dirname(file), match[1] ?? match[2] ?? '')),
    typeOnly: isOfTypes(code, match.index),
  }));
}

/** Groups of files that import each other in a circle. */
export function cyclesOf(imports: readonly Import[]): readonly (readonly string[])[] {
  const targets = Map.groupBy(imports, (i) => i.from);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    lowest.set(file, order.size - 1);
    stack.push(file);
    for (const { to } of targets.get(file) ?? []) {
      if (!order.has(to)) visit(to);
      if (stack.includes(to)) lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(to) ?? 0));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1 || targets.get(file)?.some((i) => i.to === file)) cycles.push(group.sort());
  };
  for (const file of targets.keys()) if (!order.has(file)) visit(file);
  return cycles;
}

/** The code with the same lines, without comments and without what stands in quotes; expressions inside templates stay. */
export const codeOf = (source: string): string =>
  source
    .replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|\s\/\/ .*$/gm, (text) => text.replace(/[^\n]+/g, ' '))
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''")
    .replace(/`(?:[^`\\]|\\.)*`/g, (text) => {
      const expressions = [...text.matchAll(/\$\{([^}]*)\}/g)].map((match) => match[1]).join(' ');
      return expressions.replaceAll('\n', ' ') + text.replace(/[^\n]/g, '');
    })
    .replace(/\/(?![*/\s])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*/g, ' ');
