import { codeOf } from './imports.ts';

/** Functions, classes and types that a file declares at its top level; constants in capitals are settings of their file. */
const DECLARED = /^(?:export )?(?:async )?(?:function\*?|const|class|type|interface)\s+([A-Za-z_$][\w$]*)/gm;
const isConstant = (name: string): boolean => /^[A-Z][A-Z\d_]*$/.test(name);

const declaredIn = (source: string): ReadonlySet<string> =>
  new Set([...codeOf(source).matchAll(DECLARED)].flatMap(([, name = '']) => (isConstant(name) ? [] : name)));

/** Names that more than `most` of the files declare, each with its files. */
export function overloaded(sources: ReadonlyMap<string, string>, most: number): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>();
  for (const [file, source] of sources) for (const name of declaredIn(source)) files.set(name, [...(files.get(name) ?? []), file]);
  return new Map([...files].filter(([, those]) => those.length > most));
}
