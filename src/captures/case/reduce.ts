import { type BranchNode, type Node, type TextNode, textsIn, written } from './tree.ts';

/** Whether a document still fails as the original does. */
export type StillFails = (text: string) => Promise<boolean>;

/**
 * The items without those that `test` does not need, by halves, quarters and so on (delta debugging: Zeller, Hildebrandt 2002). `test` gets the
 * items that are left.
 */
export async function smallest<T>(items: readonly T[], test: (left: readonly T[]) => Promise<boolean>): Promise<readonly T[]> {
  let left = items;
  if (left.length > 0 && (await test([]))) return [];
  for (let size = Math.ceil(left.length / 2); left.length > 0; size = Math.ceil(size / 2)) {
    let removed = false;
    for (let from = 0; from < left.length; ) {
      const without = left.toSpliced(from, size);
      if (without.length > 0 && (await test(without))) {
        left = without;
        removed = true;
      } else from += size;
    }
    if (size === 1 && !removed) break;
  }
  return left;
}

/** Removes every part of the tree that the failure does not need, the largest first. */
export async function reduce(root: Node, stillFails: StillFails): Promise<void> {
  const waiting: Node[] = [root];
  for (let node = waiting.shift(); node !== undefined; node = waiting.shift()) {
    if (node.kind === 'text') continue;
    const branch: BranchNode = node;
    if (branch.divisible) {
      const all = branch.parts;
      branch.parts = [
        ...(await smallest(all, (left) => {
          branch.parts = [...left];
          return stillFails(written(root));
        })),
      ];
    }
    waiting.push(...branch.parts);
  }
}

/** Replaces every text by an invented one of the same form, except those that the failure needs; returns the latter. */
export async function inventTexts(root: Node, stillFails: StillFails, invent: (text: string) => string): Promise<readonly TextNode[]> {
  const nodes = textsIn(root).filter(({ text }) => invent(text) !== text);
  const texts = new Map(nodes.map((node) => [node, { own: node.text, invented: invent(node.text) }]));
  const restore = (own: readonly TextNode[]): void => {
    const needed = new Set(own);
    for (const [node, { own: text, invented }] of texts) node.text = needed.has(node) ? text : invented;
  };
  const needed = await smallest(nodes, (own) => {
    restore(own);
    return stillFails(written(root));
  });
  restore(needed);
  return needed;
}
