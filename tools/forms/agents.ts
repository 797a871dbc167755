/** The files by which agents and their hosts know the MCP server: the manifest of the bundle (MCPB 0.3), and `server.json` of the MCP registry. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operationList } from '../../src/contract/operations/index.ts';
import { ACCOUNT, PRICE, WATCHES } from '../../src/mcp/guidance.ts';
import { toolNameOf } from '../../src/mcp/schemas.ts';
import { PROJECT } from './app-folder.ts';
import { VERSION } from './checksums.ts';

const project: {
  readonly homepage: string;
  readonly license: string;
  readonly engines: { readonly node: string };
  readonly keywords: readonly string[];
} = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));
/** At most 100 characters, for the registry. */
const DESCRIPTION = 'Look up and watch search results, domains, traffic, apps and posts of competitors';
const URL_TITLE = 'Address of the service';
const KEY_TITLE = 'API key of the service';

/** Filled in by the host of the bundle with the user's answer. */
const userConfig = (name: string): string => `\${user_config.${name}}`;
/** The folder of the app inside of the bundle. */
export const SERVER = 'server';

export function mcpbManifest() {
  const lookups = operationList.map(({ id, summary }) => ({ name: toolNameOf(id), description: summary }));
  const others = [
    { name: 'price', description: PRICE.title },
    { name: 'account', description: ACCOUNT.title },
    ...Object.values(WATCHES).map(({ name, title }) => ({ name, description: title })),
  ];
  return {
    manifest_version: '0.3',
    name: 'sightline',
    display_name: 'Sightline',
    version: VERSION,
    description: DESCRIPTION,
    author: { name: 'Sightline contributors', url: project.homepage },
    homepage: project.homepage,
    documentation: `${project.homepage}docs/mcp.md`,
    license: project.license,
    keywords: project.keywords,
    server: {
      type: 'node',
      entry_point: `${SERVER}/bin/sightline.mjs`,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${SERVER}/bin/sightline.mjs`, 'mcp', '--url', userConfig('url')],
        env: { SIGHTLINE_API_KEY: userConfig('api_key') },
      },
    },
    tools: [...lookups, ...others],
    user_config: {
      url: {
        type: 'string',
        title: URL_TITLE,
        description: 'Of the Sightline service that answers',
        default: 'http://127.0.0.1:8080',
        required: true,
      },
      api_key: { type: 'string', title: KEY_TITLE, description: 'It begins with sl_', sensitive: true, required: true },
    },
    compatibility: { platforms: ['darwin', 'linux', 'win32'], runtimes: { node: project.engines.node } },
  };
}

/** `sha256`: the digest of the bundle. Name and address are the project's; it has no public address yet. */
export function serverJson(sha256: string) {
  const host = new URL(project.homepage).host.split('.').reverse().join('.');
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `${host}/sightline`,
    description: DESCRIPTION,
    version: VERSION,
    websiteUrl: project.homepage,
    packages: [
      {
        registryType: 'mcpb',
        identifier: `${project.homepage}releases/${VERSION}/sightline.mcpb`,
        version: VERSION,
        fileSha256: sha256,
        transport: { type: 'stdio' },
        environmentVariables: [{ name: 'SIGHTLINE_API_KEY', description: KEY_TITLE, isRequired: true, isSecret: true }],
      },
    ],
  };
}
