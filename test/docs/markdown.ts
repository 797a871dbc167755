import { globSync, readFileSync } from 'node:fs';

/** Every page for people: read by the tests of this folder. */
export const PAGES: readonly string[] = [
  ...globSync('*.md').filter((file) => file !== 'chaos-report.md'),
  ...globSync('docs/*.md'),
  ...globSync('skills/*/SKILL.md'),
].sort();

/** Languages of blocks that are text, answers or settings of other programs: everything else is code, which is run or says why not. */
export const DATA: readonly string[] = ['', 'text', 'json', 'ini', 'nginx', 'caddy'];

const FENCE = /^( *)```(\S*)\s*(.*)$/;

export interface CodeBlock {
  readonly page: string;
  /** Line of the opening fence, 1-based. */
  readonly line: number;
  readonly language: string;
  /** What follows the language: `runnable`, `output`, `not-run: <reason>`, or nothing. */
  readonly mark: string;
  readonly text: string;
}

/** The fenced code blocks of a page, those in a list too, in order. Throws where a fence is not closed. */
export function codeBlocks(page: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { line: number; language: string; mark: string; indent: string; text: string[] } | null = null;
  for (const [at, line] of readFileSync(page, 'utf8').split('\n').entries()) {
    const [fence, indent = '', language = '', mark = ''] = FENCE.exec(line) ?? [];
    if (open && fence === undefined) open.text.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
    else if (open) {
      const { indent: _, text, ...begun } = open;
      blocks.push({ page, ...begun, text: text.join('\n') });
      open = null;
    } else if (fence !== undefined) open = { line: at + 1, language, mark, indent, text: [] };
  }
  if (open) throw new Error(`${page}:${open.line}: the code block is not closed`);
  return blocks;
}

/** The text of a page outside its code blocks, line by line. */
export function proseLines(page: string): { line: number; text: string }[] {
  let inside = false;
  return readFileSync(page, 'utf8')
    .split('\n')
    .flatMap((text, at) => {
      if (FENCE.test(text)) {
        inside = !inside;
        return [];
      }
      return inside ? [] : [{ line: at + 1, text }];
    });
}
