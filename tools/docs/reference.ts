import { accountEndpoints } from '../../src/contract/account/endpoints.ts';
import { codeOf, ERRORS, type ErrorName } from '../../src/contract/errors.ts';
import { type Operation, operationList, priceInWords } from '../../src/contract/operations/index.ts';
import { PRESENTATIONS } from '../../src/contract/operations/presentations.ts';
import { BODIES } from './bodies.ts';
import { codeBlock, escapeHtml, icon, prose, samples } from './html.ts';
import type { Contents, Link } from './layout.ts';
import { exampleOf, snippetsOf, workbenchAt } from './lookups.ts';
import {
  description,
  type Endpoint,
  type Field,
  fieldsOf,
  type ParameterObject,
  resolveParameter,
  type Schema,
  typeOf,
} from './openapi.ts';

/** A thing that Find leads to: the contract's name for it, and where it stands. */
export interface Named {
  readonly kind: 'endpoint' | 'field' | 'parameter' | 'header' | 'error';
  readonly name: string;
  readonly place: string;
  readonly text: string;
  readonly to: string;
}
export interface ReferencePage {
  readonly page: string;
  readonly title: string;
  readonly group: string;
  readonly article: string;
  readonly named: readonly Named[];
}

interface Route {
  readonly method: string;
  readonly path: string;
  readonly endpoint: Endpoint;
}
const ROUTES: readonly Route[] = Object.entries(description.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, endpoint]) => ({ method: method.toUpperCase(), path, endpoint })),
);

const GROUPS = { lookups: 'Lookups', account: 'Account', common: 'Common' } as const;
/** Names of the groups of account endpoints by the segment after `/v1/account`; a segment that is not listed is its own name. */
const ACCOUNT_NAMES: Readonly<Record<string, string>> = { account: 'Balance and limits', notify: 'Messages' };
const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Rows of names and their meanings; each row has an anchor. `to`: the address of the page. */
interface Row {
  readonly id: string;
  readonly name: string;
  readonly marks: string;
  readonly about: string;
}
const rowsOf = (rows: readonly Row[]): string =>
  `<dl class="names">${rows.map(({ id, name, marks, about }) => `<div id="${escapeHtml(id)}"><dt><a href="#${escapeHtml(id)}"><code>${escapeHtml(name).replaceAll(/([._[])/g, '<wbr>$1')}</code></a>${marks}</dt><dd>${about}</dd></div>`).join('')}</dl>`;

const valuesOf = (values: readonly string[]): string =>
  values.length ? `<code>${values.map(escapeHtml).join('</code>, <code>')}</code>. ` : '';
const REQUIRED = ' <span class="required">required</span>';
const soft = (text: string): string => `<span class="soft">${text}</span> `;
/** A closed list of countries or languages is no text to read. */
const MOST_VALUES = 20;

const parameterRow = (id: string, { name, required, schema, description: about, in: place }: ParameterObject): Row => {
  const values = (schema.enum ?? []).map(String);
  const words = `${typeOf(schema)}${place === 'path' ? ', in the path' : place === 'header' ? ', header' : ''}`;
  return {
    id,
    name,
    marks: required ? REQUIRED : '',
    about: `${soft(`${escapeHtml(words)}.`)}${valuesOf(values.slice(0, MOST_VALUES))}${prose(about)}`,
  };
};
const fieldRow = (id: string, field: Field, nullMeans: string, isBody: boolean): Row => ({
  id,
  name: field.shown,
  marks: isBody && field.isRequired ? REQUIRED : '',
  about: `${soft(`${escapeHtml(field.type)}${field.isNullable ? ' or null' : ''}.`)}${valuesOf(field.values)}${prose(field.description)}${field.isNullable && nullMeans && !/\bnull\b/i.test(field.description) ? ` ${soft(nullMeans)}` : ''}`,
});

/** The statuses of its errors, with their codes. */
function errorsOf({ responses }: Endpoint): string {
  const rows = Object.keys(responses)
    .filter((status) => Number(status) >= 400)
    .flatMap((status) => {
      const codes = [...new Set((Object.keys(ERRORS) as ErrorName[]).filter((name) => String(ERRORS[name].status) === status).map(codeOf))];
      const links = codes.map((code) => `<a href="errors.html#${code}"><code>${code.replaceAll('_', '_<wbr>')}</code></a>`);
      return links.length ? [`<tr><td>${status}</td><td>${links.join(' ')}</td></tr>`] : [];
    });
  return `<h3>Errors</h3><div class="wide" tabindex="0"><table><thead><tr><th scope="col">Status</th><th scope="col">Code</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

const answerOf = ({ responses }: Endpoint) =>
  Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content?.['application/json'];
const exampleText = (example: unknown): string => JSON.stringify(example, null, 2);

function lookupPage(operation: Operation, console: string, guides: ReadonlySet<string>): ReferencePage {
  const { endpoint } = ROUTES.find(({ path }) => path === operation.path) ?? {};
  if (!endpoint) throw new Error(`${operation.path} is not described`);
  const { name } = PRESENTATIONS[operation.id];
  const page = `reference/${operation.id}.html`;
  const guide = `${operation.area.id}.html`;
  const to = (id: string): string => `${page}#${id}`;
  const parameters = (endpoint.parameters ?? []).map(resolveParameter).filter((p) => p.in !== 'header');
  const answer = answerOf(endpoint);
  const fields = answer ? fieldsOf(answer.schema) : [];
  const values = exampleOf(operation);
  const price = priceInWords({}, operation);
  const article = `<div class="endpoint"><div>
<p class="call"><span class="method">GET</span> <code>${escapeHtml(operation.path).replaceAll('/', '/<wbr>')}</code></p>
<p>${prose(operation.summary)}.${guides.has(guide) ? ` <a href="../${guide}">Guide: where the answer comes from, what is null and why</a>.` : ''}</p>
<p>${prose(endpoint.description)} An operator may set another price: <a href="account-price.html">Price</a> says what a lookup costs at a service.</p>
<h2 id="parameters">Parameters</h2>
${rowsOf(parameters.map((p) => parameterRow(`parameter-${p.name}`, p)))}
<p>Freshness and the most that an answer may cost are <a href="request-headers.html">headers of the request</a>.</p>
<h2 id="answer">Answer</h2>
${rowsOf(fields.map((field) => fieldRow(field.path, field, 'null: not stated by the source.', false)))}
</div><aside aria-label="Example">
${samples(operation.id, snippetsOf(operation, values))}
<a class="button primary" href="${escapeHtml(workbenchAt(console, operation, values))}">${icon('terminal')}Open in the Workbench</a>
${answer?.example ? codeBlock(exampleText(answer.example), 'json', 'output') : ''}
${errorsOf(endpoint)}
</aside></div>`;
  return {
    ...{ page, title: name, group: GROUPS.lookups, article },
    named: [
      { kind: 'endpoint', name: `GET ${operation.path}`, place: name, text: `${operation.id}: ${operation.summary}. ${price}.`, to: page },
      ...parameters.map(
        (p): Named => ({
          kind: 'parameter',
          name: `${operation.id} · ${p.name}`,
          place: 'Parameter',
          text: p.description,
          to: to(`parameter-${p.name}`),
        }),
      ),
      ...fields.map(
        (f): Named => ({
          kind: 'field',
          name: `${operation.id}.${f.path}`,
          place: 'Answer field',
          text: `${capital(f.type)}${f.isNullable ? ' or null' : ''}. ${f.description}`,
          to: to(f.path),
        }),
      ),
    ],
  };
}

/** One endpoint of several on a page. Fields of a schema that the page has shown are not repeated. */
function endpointPart(
  { method, path, endpoint }: Route,
  page: string,
  shown: Map<string, string>,
): { html: string; named: readonly Named[] } {
  const id = endpoint.operationId;
  const named: Named[] = [
    { kind: 'endpoint', name: `${method} ${path}`, place: endpoint.summary, text: endpoint.description, to: `${page}#${id}` },
  ];
  const parameters = (endpoint.parameters ?? []).map(resolveParameter).filter((p) => p.in !== 'header');
  for (const p of parameters)
    named.push({
      kind: 'parameter',
      name: `${method} ${path} · ${p.name}`,
      place: 'Parameter',
      text: p.description,
      to: `${page}#${id}.parameter-${p.name}`,
    });
  const objects = (schema: Schema, kind: 'Body' | 'Answer field'): string => {
    const key = `${kind} ${schema.$ref ?? id}`;
    const before = shown.get(key);
    if (before) return `<p>As ${kind === 'Body' ? 'the body' : 'the answer'} of <a href="#${before}">${escapeHtml(before)}</a>.</p>`;
    shown.set(key, id);
    const fields = fieldsOf(schema);
    const prefix = kind === 'Body' ? `${id}.body` : id;
    for (const field of fields) {
      // the same field of another answer of the page leads nowhere else
      const same = `field ${kind} ${field.path.split('.').at(-1)} ${field.description}`;
      if (shown.has(same)) continue;
      shown.set(same, id);
      named.push({
        kind: 'field',
        name: kind === 'Body' ? `${method} ${path} · ${field.path}` : `${id}.${field.path}`,
        place: kind,
        text: field.description,
        to: `${page}#${prefix}.${field.path}`,
      });
    }
    return rowsOf(fields.map((field) => fieldRow(`${prefix}.${field.path}`, field, '', kind === 'Body')));
  };
  const [type = '', body] = Object.entries(endpoint.requestBody?.content ?? {})[0] ?? [];
  const answer = answerOf(endpoint);
  const query = new URLSearchParams(
    Object.fromEntries(parameters.filter((p) => p.required && p.in === 'query').map((p) => [p.name, String(p.example)])),
  );
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(parameters.find((p) => p.name === name)?.example ?? '')),
  );
  const key = path.startsWith('/v1/account') ? ' -H "X-API-Key: $SIGHTLINE_API_KEY"' : '';
  const sent: unknown = BODIES[id];
  const data = sent === undefined ? '' : ` \\\n  -H 'Content-Type: application/json' -d '${JSON.stringify(sent)}'`;
  const verb = method === 'GET' || (method === 'POST' && sent !== undefined) ? '' : ` -X ${method}`;
  const curl = `curl -sS${verb}${key} \\\n  'http://127.0.0.1:8080${filled}${query.size ? `?${query}` : ''}'${data}`;
  const html = `<section class="endpoint"><div>
<h2 id="${id}"><a href="#${id}">${prose(endpoint.summary)}</a></h2>
<p class="call"><span class="method">${method}</span> <code>${escapeHtml(path).replaceAll('/', '/<wbr>')}</code></p>
<p>${prose(endpoint.description)}</p>
${parameters.length ? `<h3>Parameters</h3>${rowsOf(parameters.map((p) => parameterRow(`${id}.parameter-${p.name}`, p)))}` : ''}
${body ? `<h3>Body <span class="soft">${escapeHtml(type)}</span></h3>${objects(body.schema, 'Body')}` : ''}
${answer ? `<h3>Answer</h3>${objects(answer.schema, 'Answer field')}` : ''}
</div><aside aria-label="${escapeHtml(`Example: ${endpoint.summary}`)}">
${body && sent === undefined ? '' : codeBlock(curl, 'sh', 'not-run: ids of your own')}
${body?.example ? codeBlock(exampleText(body.example), 'json') : ''}
${answer?.example ? codeBlock(exampleText(answer.example), 'json', 'output') : ''}
${errorsOf(endpoint)}
</aside></section>`;
  return { html, named };
}

function endpointsPage(page: string, title: string, group: string, routes: readonly Route[]): ReferencePage {
  const shown = new Map<string, string>();
  const parts = routes.map((route) => endpointPart(route, page, shown));
  return { page, title, group, article: parts.map(({ html }) => html).join('\n'), named: parts.flatMap(({ named }) => named) };
}

function accountPages(): readonly ReferencePage[] {
  const paths = new Set<string>(accountEndpoints.map(({ path }) => path));
  const groups = Map.groupBy(
    ROUTES.filter(({ path }) => paths.has(path)),
    ({ path }) => path.split('/')[3] ?? 'account',
  );
  return [...groups].map(([name, routes]) =>
    endpointsPage(`reference/account-${name}.html`, ACCOUNT_NAMES[name] ?? capital(name), GROUPS.account, routes),
  );
}

/** By `retryable` of the contract. */
const REPEAT: Readonly<Record<string, string>> = {
  true: 'The same request may succeed within minutes.',
  false: 'The same request fails again until something is changed.',
  stated: 'The same request may succeed within minutes where the answer has `Retry-After`.',
};

function errorsPage(): ReferencePage {
  const page = 'reference/errors.html';
  const byCode = Map.groupBy(Object.keys(ERRORS) as ErrorName[], codeOf);
  const entries = [...byCode].map(([code, names]) => ({
    code,
    statuses: [...new Set(names.map((name) => ERRORS[name].status))].join(', '),
    words: [...new Set(names.map((name) => ERRORS[name].words))].join(' '),
    repeat: REPEAT[String(names.map((name) => ERRORS[name].retryable).find(Boolean) ?? false)] ?? '',
  }));
  return {
    ...{ page, title: 'Errors', group: GROUPS.common },
    article: `<p>Every error has a status, a code and a message in JSON, and costs nothing. The code is what a program reads; the message is for people. Every cause, and what to do: <a href="../troubleshooting.html">Troubleshooting</a>.</p>
${codeBlock('{ "error": { "code": "INVALID_REQUEST", "message": "Parameter depth is \\"0\\", but it must be a whole number from 1 to 200." } }', 'json', 'output')}
${rowsOf(entries.map(({ code, statuses, words, repeat }) => ({ id: code, name: code, marks: '', about: `${soft(`${statuses}.`)}${prose(words)} ${soft(prose(repeat))}` })))}`,
    named: entries.map(({ code, statuses, words }) => ({
      kind: 'error',
      name: code,
      place: 'Error',
      text: `${statuses}. ${words}`,
      to: `${page}#${code}`,
    })),
  };
}

function headerPages(): readonly ReferencePage[] {
  const { parameters, headers } = description.components;
  const sent = Object.values(parameters);
  const [request, answer] = ['reference/request-headers.html', 'reference/answer-headers.html'];
  const about = (schema: Schema, text: string, example: unknown): string =>
    `${soft(`${escapeHtml(typeOf(schema))}.`)}${prose(text)}${example === undefined ? '' : ` ${soft(`Example: <code>${escapeHtml(String(example))}</code>`)}`}`;
  const named = (page: string, names: readonly (readonly [string, string])[]): readonly Named[] =>
    names.map(([name, text]) => ({ kind: 'header', name, place: 'Header', text, to: `${page}#${name}` }));
  return [
    {
      ...{ page: request, title: 'Freshness and cost', group: GROUPS.common },
      article: `<p>Headers that every lookup accepts. None is required.</p>${rowsOf(sent.map((p) => ({ id: p.name, name: p.name, marks: '', about: about(p.schema, p.description, p.example) })))}`,
      named: named(
        request,
        sent.map((p) => [p.name, p.description]),
      ),
    },
    {
      ...{ page: answer, title: 'Headers of answers', group: GROUPS.common },
      article: `<p>Charge, age, source and limits stand in headers, so that the body is the resource alone.</p>${rowsOf(Object.entries(headers).map(([name, h]) => ({ id: name, name, marks: '', about: about(h.schema, h.description, h.example) })))}`,
      named: named(
        answer,
        Object.entries(headers).map(([name, h]) => [name, h.description]),
      ),
    },
  ];
}

/** Every page of the reference, made from the contract. `console`: its address, from the folder of these pages; `guides`: the files of the guides. */
export function referencePages(console: string, guides: ReadonlySet<string>): readonly ReferencePage[] {
  const tagged = (tag: string): readonly Route[] => ROUTES.filter(({ endpoint }) => endpoint.tags.includes(tag));
  const pages = [
    ...operationList.map((operation) => lookupPage(operation, console, guides)),
    ...accountPages(),
    errorsPage(),
    ...headerPages(),
    endpointsPage('reference/oauth.html', 'Access tokens', GROUPS.common, tagged('oauth')),
    endpointsPage('reference/service.html', 'Health', GROUPS.common, tagged('service')),
  ];
  const rows = pages.flatMap(({ named, page }) =>
    named
      .filter(({ kind }) => kind === 'endpoint')
      .map(({ name, text, place, to }) => {
        const [method = '', path = ''] = name.split(' ');
        const about =
          page.startsWith('reference/account') || /oauth|service/.test(page) ? place : text.replace(/^[\w-]+: /, '').split('. ')[0];
        return `<tr><td><span class="method">${method}</span></td><td><a href="${escapeHtml(to.replace('reference/', ''))}"><code>${escapeHtml(path).replaceAll('/', '/<wbr>')}</code></a></td><td>${prose(about ?? '')}</td></tr>`;
      }),
  );
  const overview: ReferencePage = {
    ...{ page: 'reference/index.html', title: 'Reference', group: 'Reference', named: [] },
    article: `<p>Every request that the service answers. All of it is read-only for the platforms: lookups, and what belongs to your own account. The same as a machine reads it: <a href="../openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<div class="wide" tabindex="0"><table><thead><tr><th scope="col">Method</th><th scope="col">Path</th><th scope="col">What it does</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`,
  };
  return [overview, ...pages];
}

export const referenceContents = (pages: readonly ReferencePage[]): readonly Contents[] =>
  [...Map.groupBy(pages, ({ group }) => group)].map(([name, all]) => ({
    name,
    links: all.map(({ title, page }): Link => ({ name: title === 'Reference' ? 'All endpoints' : title, to: page })),
  }));
