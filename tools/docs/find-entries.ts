import { operationList } from '../../src/contract/operations/index.ts';
import { PRESENTATIONS } from '../../src/contract/operations/presentations.ts';
import type { Entry, Find } from './browser/find.ts';
import { ABOUT, type Guide } from './guides.ts';
import type { Rendered } from './markdown.ts';
import type { ReferencePage } from './reference.ts';

/** Pages of the console by what one does there; a test holds the paths against its routes. */
export const ACTS: readonly (readonly [name: string, about: string, path: string])[] = [
  ['Run a lookup', 'opens the Workbench in the console', '/w/serp'],
  ['Make and see watches', 'opens Watches in the console', '/watches'],
  ['See what changed', 'opens the feed of changes in the console', '/changes'],
  ['Look up a file', 'opens Files in the console: CSV, spreadsheet or list', '/files'],
  ['Where you and your rivals rank', 'opens Rankings in the console', '/rankings'],
  ['Who is told, and how', 'opens Messages in the console: Slack, mail, webhook', '/messages'],
  ['See requests and why they were charged', 'opens Requests in the console', '/requests'],
  ['See usage and cost', 'opens Usage in the console', '/usage'],
  ['See the ledger of credits', 'opens the Ledger in the console', '/ledger'],
  ['Make or revoke an API key', 'opens Keys in the console', '/keys'],
  ['End sessions', 'opens Sessions in the console', '/sessions'],
];

/** Everything that Find knows, in the order of its groups. */
export function findEntries(
  guides: readonly (Guide & Rendered & { readonly group: string })[],
  reference: readonly ReferencePage[],
  console: string,
): Find {
  const about = guides.flatMap(({ page, name, title, sections, group }): readonly Entry[] =>
    sections.map(
      (section): Entry => [
        group === ABOUT ? 'project' : 'guide',
        section.depth === 1 ? title : section.title,
        name,
        section.anchor ? `${page}#${section.anchor}` : page,
        section.text,
      ],
    ),
  );
  const rows = guides.flatMap(({ page, name: place, rows }) =>
    rows.map(({ name, text }): Entry => ['parameter', name, place, `${page}#${name}`, text]),
  );
  const named = reference.flatMap((page) => page.named.map(({ kind, name, place, to, text }): Entry => [kind, name, place, to, text]));
  const acts: readonly Entry[] = [
    ...operationList.map(
      (o): Entry => [
        'act',
        `Look up: ${PRESENTATIONS[o.id].name}`,
        'Console',
        `${console}/w/${o.id}`,
        `opens the Workbench with the form of ${o.id}. ${o.summary}`,
      ],
    ),
    ...ACTS.map(([name, words, path]): Entry => ['act', name, 'Console', console + path, words]),
  ];
  return { entries: [...about, ...rows, ...named, ...acts], guides: guides.map(({ name, page }) => [name, page]) };
}
