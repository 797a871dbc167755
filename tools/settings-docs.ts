import { SETTINGS, type Setting } from '../src/settings.ts';
import { RECIPES } from '../src/sources/recipes/recipes.ts';

/** docs/settings.md, generated from the table of settings. */
export function settingsPage(): string {
  const groups = new Map<string, string[]>();
  for (const [name, setting] of Object.entries(SETTINGS) as [string, Setting][]) {
    const value =
      setting.default === null
        ? 'not set'
        : Array.isArray(setting.default)
          ? setting.default.join(', ') || 'none'
          : typeof setting.default === 'object'
            ? `\`${JSON.stringify(setting.default)}\``
            : `\`${setting.default}\``;
    const cell = (text: string) => text.replaceAll('|', '\\|');
    const row = `| \`${name}\`${setting.secret ? ' (secret)' : ''} | ${cell(setting.kind.words)} | ${cell(value)} | ${cell(setting.about)} |`;
    groups.set(setting.group, [...(groups.get(setting.group) ?? []), row]);
  }
  const parts = [...groups].map(
    ([name, rows]) => `## ${name}\n\n| Variable | Value | Default | Meaning |\n|---|---|---|---|\n${rows.join('\n')}\n`,
  );
  const keys = RECIPES.flatMap(({ provider, variables }) =>
    variables.map(({ name, about }) => `| \`${name}\` (secret) | text | not set | ${provider}: ${about}. |`),
  );
  parts.push(
    `## Recipes\n\nEach switches on a data provider of [search results](searchengine.md#other-providers-by-their-key-alone), [posts](microblog.md), [videos](shortvideo.md) or [communities](forum.md).\n\n| Variable | Value | Default | Meaning |\n|---|---|---|---|\n${keys.join('\n')}\n`,
  );
  return `# Settings

Every setting is an environment variable. They are read once, at the start: restart after a change. A wrong value stops the start with a message
that names the variable. An empty variable counts as not set, and blanks around a provider's key are left out. A name with the prefix \`SIGHTLINE_\` within two edits of a setting is refused as misspelt.
Another one that is no setting, a setting without its prefix (\`RELAYS\`), and a name near one of a provider (\`SERPER_KYE\`) are one line of warning. Names that begin with \`SIGHTLINE_TEST_\`,
\`SIGHTLINE_PORT_\` or \`SIGHTLINE_SERVICE_\` are not judged: tests and Kubernetes set them. Secrets never appear in a log line, an error or an answer.
Where to put them for a service that starts at boot: [systemd](systemd.md). \`npm run generate\` makes this page from \`src/settings.ts\`.

${parts.join('\n')}`;
}
