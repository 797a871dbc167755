import { globSync } from 'node:fs';

export interface Guide {
  /** Path of the Markdown file in the checkout. */
  readonly file: string;
  /** Its name in the contents. */
  readonly name: string;
  /** Its file in the site. */
  readonly page: string;
}
export interface GuideGroup {
  readonly name: string;
  readonly guides: readonly Guide[];
}

/** Group of the pages about the project itself. */
export const ABOUT = 'About it';

/** The contents of the guides, in the order of a reader who begins. A name without a file is the page of docs/. */
const CONTENTS: readonly (readonly [group: string, guides: Readonly<Record<string, string>>])[] = [
  [
    'Begin',
    {
      'README.md': 'First answer',
      'first-source': 'First source',
      examples: 'Examples',
      install: 'Install',
      console: 'Console',
      settings: 'Settings',
      troubleshooting: 'Troubleshooting',
    },
  ],
  [
    'Look up',
    {
      searchengine: 'Google and Bing',
      registration: 'Domain registration',
      traffic: 'Traffic',
      shortvideo: 'TikTok',
      microblog: 'X',
      forum: 'Reddit',
      appmarket: 'Shopify App Store',
      relay: 'Data providers (relay)',
    },
  ],
  [
    'Work with it',
    {
      authentication: 'Keys and tokens',
      credits: 'Credits',
      watches: 'Watches',
      bulk: 'Files (bulk)',
      client: 'TypeScript',
      python: 'Python',
      mcp: 'Agents (MCP)',
    },
  ],
  [
    'Run it',
    {
      operations: 'Back up and upgrade',
      systemd: 'systemd',
      'reverse-proxy': 'Reverse proxy',
      scaling: 'Scaling',
      metrics: 'Metrics and logs',
      tracing: 'Tracing',
      evidence: 'Captures and replay',
      drift: 'Drift',
      'signed-requests': 'Signed requests',
      faults: 'Faults and limits',
    },
  ],
  [
    ABOUT,
    {
      testing: 'How it is tested',
      'test-record': 'Record of the tests',
      benchmarks: 'Benchmarks',
      'benchmark-suites': 'Every benchmark',
      comparison: 'Comparison of readers',
      'CHANGELOG.md': 'Changes',
      'SECURITY.md': 'Security',
      'CONTRIBUTING.md': 'Contributing',
      'ARCHITECTURE.md': 'Architecture',
    },
  ],
];

const guideOf = ([key, name]: readonly [string, string]): Guide => {
  const file = key.endsWith('.md') ? key : `docs/${key}.md`;
  return { file, name, page: key === 'README.md' ? 'index.html' : `${key.replace(/\.md$/, '').toLowerCase()}.html` };
};

/** Group of the pages that `CONTENTS` does not name; a test asks that there are none. */
export const OTHERS = 'More';

/** The guides of a checkout: the contents, and at their end what they leave out. */
export function guideGroups(root: string): readonly GuideGroup[] {
  const groups = CONTENTS.map(([name, guides]) => ({ name, guides: Object.entries(guides).map(guideOf) }));
  const named = new Set(groups.flatMap(({ guides }) => guides.map(({ file }) => file)));
  const left = globSync('docs/*.md', { cwd: root })
    .sort()
    .filter((file) => !named.has(file))
    .map((file) => file.slice('docs/'.length, -'.md'.length));
  return left.length ? [...groups, { name: OTHERS, guides: left.map((key) => guideOf([key, key])) }] : groups;
}
