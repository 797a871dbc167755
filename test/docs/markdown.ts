import { globSync, readFileSync } from 'node:fs';

/** Every page for people: read by the tests of this folder. */
export const PAGES: readonly string[] = [...globSync('*.md').filter((file) => file !== 'chaos-report.md'), ...globSync('docs/*.md')].sort();

export interface CodeBlock {
  readonly page: string;
  /** Line of the opening fence, 1-based. */
  readonly line: number;
  readonly language: string;
  /** What follows the language: `runnable`, `output`, `not-run: <reason>`, or nothing. */
  readonly mark: string;
  readonly text: string;
}

/** The fenced code blocks of a page, in order. Throws where a fence is not closed. */
export function codeBlocks(page: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { line: number; language: string; mark: string; text: string[] } | null = null;
  for (const [at, line] of readFileSync(page, 'utf8').split('\n').entries()) {
    const fence = /^```(\S*)\s*(.*)$/.exec(line);
    if (!fence) open?.text.push(line);
    else if (open) {
      blocks.push({ page, ...open, text: open.text.join('\n') });
      open = null;
    } else open = { line: at + 1, language: fence[1] ?? '', mark: fence[2] ?? '', text: [] };
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
      if (text.startsWith('```')) {
        inside = !inside;
        return [];
      }
      return inside ? [] : [{ line: at + 1, text }];
    });
}
