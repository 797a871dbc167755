/** Data of the gallery: each answer of the service in four sets, derived from the schemas and examples of the contract. */
import { readFileSync } from 'node:fs';
import { ADMIN_ACTIONS } from '../../../src/contract/admin/actions.ts';
import { type AdminAction, requestsOf } from '../../../src/contract/admin/define.ts';
import { type ContractView, contractView } from '../../../src/contract/contract-view.ts';

/** `nulls`: all that may be null is null; `empty`: lists are empty, too. */
export const SETS = ['short', 'long', 'nulls', 'empty'] as const;
export type SetName = (typeof SETS)[number];
/** The time in the gallery: that of the examples. */
export const NOW = '2026-01-31T13:00:00.000Z';

export interface GalleryData {
  readonly contract: ContractView;
  readonly sets: Readonly<
    Record<
      SetName,
      { readonly resources: Readonly<Record<string, unknown>>; readonly replies: readonly (readonly [path: string, reply: unknown])[] }
    >
  >;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly pattern?: string;
  readonly format?: string;
  readonly maximum?: number;
}
interface Described {
  readonly paths: Readonly<
    Record<string, { readonly get?: { readonly responses: Readonly<Record<string, { readonly content?: Content }>> } }>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}
type Content = Readonly<Record<string, { readonly schema: Schema; readonly example: unknown }>>;

const { paths, components } = JSON.parse(readFileSync('openapi.json', 'utf8')) as Described;

const LONG_NAME = 'International Recommendations for Comfortable Running Shoes';
const LONG_TEXT = `${LONG_NAME}: professional physiotherapists and experienced trainers compare cushioning, durability and responsiveness over 1,000 kilometres.`;
const LONG_PATH = '/a_long_path_without_any_place_to_break/0123456789abcdefghijklmnopqrstuvwxyz?utm_source=newsletter_of_january';
const COUNTRIES = ['US', 'DE', 'GB', 'FR', 'CA', 'IT', 'ES', 'NL', 'SE'];
/** Names of fields by what they hold. */
const KINDS = {
  id: /(?:Id|Hash|^id|^cursor|^capture|^receipt|^key|^subject|By)$/,
  handle: /handle$/i,
  time: /(?:^at|At|On|Until|Since)$/,
  day: /^(?:day|date|from|to)$|Date$/,
  url: /url$|redirectUri|^reference$/i,
  prose: /description|text|body|content|message|about|what|note|detail|reason|words|fact/i,
  country: /^(?:country|location|region)$/,
} as const;
/** Fields whose values are terms, identifiers or addresses, in every set. */
const TERMS: readonly (readonly [name: RegExp, ...values: string[]])[] = [
  [/^code$/, 'UPSTREAM_RATE_LIMITED', 'NOT_FOUND'],
  [/^outcome$/, 'found', 'blocked', 'absent', 'unreachable'],
  [/^cache$/, 'miss', 'hit', 'collapsed'],
  [/^source$/, 'searchengine/dataforseo', 'registration/rdap'],
  [/^(?:field|path|unread|drifting)$/, 'organic.websiteName', 'aiOverview.references.url'],
  [/^addresses$/, '2001:db8:85a3::8a2e:370:7334/128', '203.0.113.0/24'],
  [/^states$/, 'organic', 'organic.rating', 'aiOverview', 'features'],
  [/^lacks$/, 'paid', 'relatedSearches', 'organic.websiteName'],
  [/^lacking$/, 'SIGHTLINE_DATAFORSEO_PASSWORD', 'SIGHTLINE_SERPAPI_KEY_FILE'],
  [/^kinds$/, 'moved', 'added', 'changed'],
  [
    /^(?:sites?|own|rivals|snippet)$/,
    'acme-widgets.com',
    'xn--mller-kva.de',
    'bluebirdlooms.com',
    'a-rather-long-name-of-a-shop-for-running-shoes.com',
    'stellamaris.it',
    'tundra.ca',
  ],
  [/^action$/, 'credits.grant', 'key.create'],
  [/^(?:hint|secret)$/, 'sk_4f1c9a2e'],
  [/^(?:version|result|actor|area|scopes|freshness)$/, '1.0.0', 'operator', '503', 'max-age=600'],
];
const termsOf = (name: string): readonly string[] => (TERMS.find(([pattern]) => pattern.test(name))?.slice(1) as string[]) ?? [];
const isOf = (kind: keyof typeof KINDS, name: string): boolean => KINDS[kind].test(name);
const LISTS = { short: 2, long: 6, nulls: 2, empty: 0 } as const;

interface Field {
  readonly set: SetName;
  readonly name: string;
  /** Place in its list. */
  readonly nth: number;
  /** The value of the example, if it has one. */
  readonly given?: unknown;
}

function numberOf({ maximum, type = '' }: Schema, { set, name, nth, given }: Field): number {
  if (/rank$|^position$|^seq$/i.test(name)) return /^absolute/.test(name) ? 2 * nth + 3 : nth + 1;
  if (/^(?:places?|best|first)$/.test(name)) return 3 * nth + 2;
  if (name === 'change') return nth - 2;
  if (name === 'depth') return nth % 5;
  if (name === 'status') return [200, 404, 502, 429][nth % 4] ?? 200;
  if (name === 'rating') return 5 - (nth % 5);
  if (name === 'max' || name === 'value') return typeof given === 'number' ? given : 5;
  if (maximum === 1 || /share$|ratio$|^usual/i.test(name)) return 0.512 / (nth + 1);
  const large = /views|visits|total|likes|results/i.test(name) ? 1_234_567_890 : /Ms$|usd/i.test(name) ? 1_234_567 : 12_345_678;
  if (set === 'long') return (maximum ?? large) - 1001 * nth - (type.includes('number') && maximum === undefined ? 0.25 : 0);
  return typeof given === 'number' ? given : type.includes('number') ? 12.5 : 120 - nth;
}

function textOf({ pattern, format }: Schema, { set, name, nth, given }: Field): string {
  const before = (days: number): string => new Date(Date.parse(NOW) - days * 86_400_000).toISOString();
  if (pattern === '^\\d{4}-\\d\\d$') return `2025-${String(nth + 1).padStart(2, '0')}`;
  const isTime = typeof given === 'string' ? /^\d{4}-\d\d-\d\d/.test(given) : isOf('time', name) || isOf('day', name);
  if (isTime && typeof given !== 'string') return isOf('time', name) ? before(nth) : before(nth).slice(0, 10);
  if (isTime) return nth === 0 ? String(given) : before(nth).slice(0, String(given).length);
  if (name === 'area') return contract.operations[nth % contract.operations.length]?.area ?? 'searchengine';
  if (/^operations?$/.test(name)) return contract.operations[nth % contract.operations.length]?.id ?? 'serp';
  const terms = termsOf(name);
  if (terms.length > 0) return terms[nth % terms.length] ?? '';
  if (isOf('country', name)) return COUNTRIES[nth % COUNTRIES.length] ?? 'US';
  const isUrl = format === 'uri' || isOf('url', name);
  const usual = isUrl
    ? `https://www.acme-widgets.com/${name}`
    : isOf('id', name)
      ? `${name}_4f1c9a2e`
      : isOf('handle', name)
        ? 'acme'
        : 'Acme Widgets';
  const text = `${given ?? usual}${nth > 0 && (isOf('id', name) || isOf('handle', name)) ? `-${nth}` : ''}`;
  if (set !== 'long' || text.length < 4 || /^\W?[\d.,]+$/.test(text)) return text;
  if (isUrl) return text + LONG_PATH;
  if (name === 'domain') return `an-unusually-long-name-of-a-host-below-the-domain.${text}`;
  if (isOf('prose', name)) return `${text}. ${LONG_TEXT}`;
  return /[\sA-Z]/.test(text) && !isOf('id', name) ? `${text} ${LONG_NAME}` : `${text}-with-an-unusually-long-name`;
}

function drawOf(schema: Schema, field: Field): unknown {
  const { set, name, nth, given } = field;
  if (schema.$ref) return drawOf(components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, field);
  const types = [schema.type ?? [], ...(schema.anyOf ?? []).map((one) => one.type ?? [])].flat();
  if (types.includes('null') && (set === 'nulls' || set === 'empty' || (name === 'failedAt' && nth % 3 < 2))) return null;
  if (schema.anyOf) return drawOf(schema.anyOf.find(({ type }) => type !== 'null') ?? {}, field);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return nth === 0 && typeof given === 'string' ? given : schema.enum[nth % schema.enum.length];
  const [type] = types;
  if (type === 'array') {
    const items = schema.items ?? {};
    const isOfWords = items.type === 'string' && !items.enum;
    const known = Array.isArray(given) && given.length > 0 ? given : [null];
    const most = name === 'hours' ? 24 : Math.min(LISTS[set], termsOf(name).length || LISTS.long);
    const length = set === 'empty' || (set === 'nulls' && isOfWords) ? 0 : most;
    return Array.from({ length }, (_, index) => drawOf(items, { set, name, nth: index, given: known[index % known.length] }));
  }
  if (type === 'object') {
    const inside = (given ?? {}) as Readonly<Record<string, unknown>>;
    const free = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {};
    const fields = schema.properties ?? Object.fromEntries(Object.keys(given ?? { keyword: '', device: '' }).map((key) => [key, free]));
    const isSource = 'breaker' in fields;
    return Object.fromEntries(
      Object.entries(fields).map(([key, of]) => {
        const called = isSource && key === 'name' ? 'source' : key;
        return [key, drawOf(of, { set, name: called, nth, given: inside[key] })];
      }),
    );
  }
  if (type === 'boolean') return nth % 2 === 0;
  return type === 'integer' || type === 'number' ? numberOf(schema, field) : textOf(schema, field);
}

const contract = contractView();
/** `GET /console/api/sessions`, which no schema describes. */
const SESSIONS: Schema = {
  type: 'object',
  properties: {
    sessions: {
      type: 'array',
      items: { type: 'object', properties: { sessionId: {}, createdAt: {}, lastUsedAt: {}, expiresAt: {}, current: { type: 'boolean' } } },
    },
  },
};

/** `GET /setup` and `GET /console/api/ways`. */
const SETUP: Schema = {
  type: 'object',
  properties: { expiresAt: { type: ['string', 'null'] }, over: { type: 'boolean' }, freeCredits: { type: 'integer' } },
};
const WAYS: Schema = {
  type: 'object',
  properties: {
    operations: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          ...{ id: { enum: contract.operations.map(({ id }) => id) }, ready: { type: 'boolean' } },
          example: { type: ['object', 'null'], properties: { keyword: { type: 'string' } } },
          sources: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                byKey: { type: 'boolean' },
                ...{ name: {}, about: {}, provider: {}, free: { type: ['string', 'null'] }, price: { type: ['string', 'null'] } },
                ...{ endsOn: { type: ['string', 'null'] }, offBecause: { type: ['string', 'null'] } },
                ...{ lacking: { type: 'array', items: { type: 'string' } }, states: { type: 'array', items: { type: 'string' } } },
              },
            },
          },
        },
      },
    },
  },
};

type Source = readonly [path: string, schema: Schema, example?: unknown];
const SOURCES: readonly Source[] = [
  ...Object.entries(paths).flatMap(([path, { get }]): Source[] => {
    const json = get?.responses['200']?.content?.['application/json'];
    return json ? [[path, json.schema, json.example]] : [];
  }),
  ...Object.values(ADMIN_ACTIONS as Readonly<Record<string, AdminAction>>).flatMap((action) =>
    requestsOf(action).flatMap(({ method, path }): Source[] => (method === 'GET' ? [[path, action.answer as Schema]] : [])),
  ),
  ['/console/api/sessions', SESSIONS],
  ['/setup', SETUP],
  ['/console/api/ways', WAYS],
];

export function galleryData(): GalleryData {
  const dataOf = (set: SetName) => {
    const replies = SOURCES.map(([path, schema, given]) => [path, drawOf(schema, { set, name: '', nth: 0, given })] as const);
    const byPath = new Map<string, unknown>(replies);
    return {
      resources: Object.fromEntries(contract.operations.map(({ path, resourceName }) => [resourceName, byPath.get(path)])),
      replies,
    };
  };
  return { contract, sets: { short: dataOf('short'), long: dataOf('long'), nulls: dataOf('nulls'), empty: dataOf('empty') } };
}
