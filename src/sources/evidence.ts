import { readTable } from '../runtime/table.ts';

declare const listed: unique symbol;
/** The name of a row of an `evidence.tsv`: what a platform itself says where something is not there. Only `evidenceIn` makes one. */
export type Evidence = string & { readonly [listed]: true };
export type EvidenceOf = (name: string) => Evidence;

/**
 * The evidence of a folder's readers, by its `evidence.tsv`: name, reader or source, what the platform answers, where that is documented or was
 * recorded. A name that the table lacks throws, which is when the module is loaded.
 */
export function evidenceIn(file: URL): EvidenceOf {
  const names = new Set(readTable(file).map(([name]) => name));
  return (name) => {
    if (!names.has(name)) throw new Error(`${file.pathname} lists no evidence ${JSON.stringify(name)}`);
    return name as Evidence;
  };
}
