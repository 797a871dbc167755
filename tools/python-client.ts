/** The generated part of the Python client: types of the resources, errors, and a method for each operation and account endpoint. */
import { accountEndpoints } from '../src/contract/account/endpoints.ts';
import { codeOf, ERRORS, type ErrorName } from '../src/contract/errors.ts';
import { describe } from '../src/contract/openapi/document.ts';
import { operationList } from '../src/contract/operations/index.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | null)[];
  readonly const?: string;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

interface Description {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly parameters: readonly (Parameter | { $ref: string })[] }>>>>;
}
const document: Description = JSON.parse(JSON.stringify(describe()));
const SCHEMAS = document.components.schemas;

const pascal = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
const snake = (text: string): string => text.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll('-', '_');
/** Words of Python that may be names of fields or parameters. */
const KEYWORDS: ReadonlySet<string> = new Set([
  'from',
  'class',
  'import',
  'in',
  'is',
  'not',
  'or',
  'and',
  'with',
  'as',
  'global',
  'return',
  'pass',
]);
const argument = (name: string): string => (KEYWORDS.has(snake(name)) ? `${snake(name)}_` : snake(name));
const quoted = (text: string): string => JSON.stringify(text);
const docstring = (text: string): string => `"""${text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/\s+/g, ' ').trim()}"""`;

/** TypedDicts in the order in which they can be declared. */
const declared = new Map<string, string>();

/** The Python type of a schema; `name` is used for an object without a name of its own. */
function typeOf(schema: Schema, name: string): string {
  if (schema.$ref) {
    const target = schema.$ref.split('/').at(-1) ?? '';
    declare(target, SCHEMAS[target] ?? {});
    return target;
  }
  if (schema.anyOf) return [...new Set(schema.anyOf.map((part) => typeOf(part, name)))].join(' | ');
  if (schema.const !== undefined) return `Literal[${quoted(schema.const)}]`;
  if (schema.enum) {
    const texts = schema.enum.filter((value) => value !== null).map((value) => quoted(value));
    return `Literal[${texts.join(', ')}]${schema.enum.includes(null) ? ' | None' : ''}`;
  }
  const types = (typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])).map((type) => {
    if (type === 'array') return `list[${typeOf(schema.items ?? {}, name)}]`;
    if (type === 'object') {
      if (Object.keys(schema.properties ?? {}).length) return declare(name, schema);
      const values = typeof schema.additionalProperties === 'object' ? typeOf(schema.additionalProperties, name) : 'Any';
      return `dict[str, ${values}]`;
    }
    return { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }[type] ?? 'Any';
  });
  return types.join(' | ') || 'Any';
}

function declare(name: string, schema: Schema): string {
  if (declared.has(name)) return name;
  declared.set(name, '');
  const properties = Object.entries(schema.properties ?? {});
  if (properties.some(([field]) => KEYWORDS.has(field))) {
    const pairs = properties.map(([field, value]) => `${quoted(field)}: ${quoted(typeOf(value, `${name}${pascal(field)}`))}`);
    declared.set(name, `${name} = TypedDict(${quoted(name)}, {${pairs.join(', ')}})\n`);
    return name;
  }
  const fields = properties.map(([field, value]) => {
    const about = value.description ? `\n    ${docstring(value.description)}` : '';
    const type = typeOf(value, `${name}${pascal(field)}`);
    return `    ${field}: ${schema.required?.includes(field) === false ? `NotRequired[${type}]` : type}${about}`;
  });
  declared.set(
    name,
    `class ${name}(TypedDict):\n${schema.description ? `    ${docstring(schema.description)}\n\n` : ''}${fields.join('\n')}\n`,
  );
  return name;
}

interface Method {
  readonly verb: string;
  /** Name of the schema of its body. */
  readonly body?: string;
  readonly area: string;
  readonly method: string;
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly resource: string;
  readonly timeout: number;
  readonly items?: string;
  readonly next?: 'after' | 'page';
}

/** Seconds that a call may take beyond the deadline of its operation, for the network. */
const GRACE_S = 5;
const ACCOUNT_S = 60;
/** Account lists: the field with the entries. */
const LISTS: Readonly<Record<string, string>> = {
  'account-usage': 'days',
  'account-ledger': 'entries',
  'account-requests': 'requests',
  'account-watches': 'watches',
  'account-watch-history': 'checks',
  'account-watch-deliveries': 'deliveries',
  'account-changes': 'changes',
};

const lookups: readonly Method[] = operationList.map(
  ({ id, area, method, path, summary, resourceName, deadline, priceInWords, pages, rows }) => ({
    ...{ verb: 'GET', area: area.id, method: snake(method), id, path, resource: resourceName, timeout: deadline.ms / 1000 + GRACE_S },
    summary: `${summary}. Price: ${priceInWords}.`,
    ...(pages && rows?.entries !== undefined && { items: rows.entries, next: pages }),
  }),
);
const account: readonly Method[] = accountEndpoints.map((endpoint) => {
  const { id, method: verb = 'GET', path, summary, body, description, resourceName, status } = endpoint;
  const resource = status === 204 ? 'None' : resourceName;
  return {
    ...{ verb, area: 'account', method: snake(id.replace(/^account-?/, '') || 'get'), id, path, resource, timeout: ACCOUNT_S },
    summary: `${summary}. ${description.startsWith('Free') ? 'Free.' : description}`,
    ...(body && { body: body.name }),
    ...(LISTS[id] !== undefined && { items: LISTS[id], next: 'after' as const }),
  };
});

function parametersOf({ path, verb }: Method): readonly (Parameter & { readonly python: string; readonly pythonType: string })[] {
  const described = document.paths[path] ?? document.paths[path.replace(/^\/v1/, '')];
  const given = described?.[verb.toLowerCase()]?.parameters ?? [];
  return given.flatMap((parameter) =>
    'name' in parameter && parameter.in !== 'header' && parameter.schema.type !== 'object'
      ? [{ ...parameter, python: argument(parameter.name), pythonType: typeOf(parameter.schema, pascal(parameter.name)) }]
      : [],
  );
}

/** The class of one method. `a`: words of the asynchronous form. */
function methodClass(method: Method, isAsync: boolean): string {
  const [def, wait, prefix] = isAsync ? ['async def', 'await ', '_Async'] : ['def', '', '_'];
  const iterator = isAsync ? 'AsyncIterator' : 'Iterator';
  const given = parametersOf(method);
  const body = method.body === undefined ? [] : [`body: ${method.body}`];
  const required = [...given.filter((p) => p.required).map((p) => `${p.python}: ${p.pythonType}`), ...body];
  const optional = given.filter((p) => !p.required).map((p) => `${p.python}: ${p.pythonType} | None = None`);
  const signature = (more: readonly string[] = []) =>
    ['self', ...required, ...(optional.length || more.length ? ['*'] : []), ...optional, ...more, '**options: Unpack[CallOptions]'].join(
      ', ',
    );
  const values = `{${given.map((p) => `${quoted(p.name)}: ${p.python}`).join(', ')}}`;
  const sent = `OPERATIONS[${quoted(method.id)}], ${values}, options${body.length ? ', body' : ''}`;
  const constant = `OPERATIONS[${quoted(method.id)}]`;
  const name = `${prefix}${pascal(method.area)}${pascal(method.method)}`;
  const about = [method.summary, ...given.map((p) => `${p.python}: ${p.description ?? ''}`)].join(' ');
  const lines = [
    `class ${name}:`,
    `    def __init__(self, client: Any) -> None:`,
    `        self._client = client`,
    ``,
    `    ${def} __call__(${signature()}) -> ${method.resource}:`,
    `        ${docstring(about)}`,
    `        return (${wait}self._client._send(${sent})).data`,
    ``,
    `    ${def} with_response(${signature()}) -> Answer[${method.resource}]:`,
    `        """The same, with what the headers say: credits, cache, source, request id, unread fields."""`,
    `        return ${wait}self._client._send(${sent})`,
  ];
  if (method.items) {
    const entries = SCHEMAS[method.resource]?.properties?.[method.items]?.items;
    const entry = entries ? typeOf(entries, `${method.resource}${pascal(method.items)}`) : 'Any';
    lines.push(
      ``,
      `    def pages(${signature()}) -> ${iterator}[${method.resource}]:`,
      `        """Page after page; each is a call of its own."""`,
      `        return self._client._pages(${constant}, ${values}, options)`,
      ``,
      `    def all(${signature(['limit_total: int | None = None'])}) -> ${iterator}[${entry}]:`,
      `        """The entries of all pages; no page is asked for that \`limit_total\` does not need."""`,
      `        return self._client._all(${constant}, ${values}, limit_total, options)`,
    );
  }
  return lines.join('\n');
}

function areaClasses(methods: readonly Method[], isAsync: boolean): string {
  const prefix = isAsync ? '_Async' : '_';
  const areas = [...new Set(methods.map((m) => m.area))];
  const classes = areas.map((area) => {
    const own = methods.filter((m) => m.area === area);
    const fields = own.map((m) => `        self.${m.method} = ${prefix}${pascal(area)}${pascal(m.method)}(client)`);
    return `class ${prefix}${pascal(area)}:\n    def __init__(self, client: Any) -> None:\n${fields.join('\n')}`;
  });
  const whole = [
    `class ${isAsync ? 'AsyncAreas' : 'Areas'}:`,
    `    """The methods of a client by area."""`,
    ``,
    `    def __init__(self, client: Any) -> None:`,
    ...areas.map((area) => `        self.${area} = ${prefix}${pascal(area)}(client)`),
  ].join('\n');
  return [...classes, whole].join('\n\n\n');
}

/** The text of `_generated.py`. */
export function pythonClient(): string {
  const methods = [...lookups, ...account];
  for (const name of methods.flatMap(({ resource, body }) => [
    ...(resource === 'None' ? [] : [resource]),
    ...(body === undefined ? [] : [body]),
  ]))
    declare(name, SCHEMAS[name] ?? {});
  const classes = [false, true].map((isAsync) =>
    [...methods.map((m) => methodClass(m, isAsync)), areaClasses(methods, isAsync)].join('\n\n\n'),
  );
  const codes = [...new Map((Object.keys(ERRORS) as ErrorName[]).map((name) => [codeOf(name), ERRORS[name]])).entries()];
  const errors = codes.map(([code, { words }]) => {
    const name = `${pascal(code.toLowerCase()).replace(/Error$/, '')}Error`;
    return { code, name, text: `class ${name}(SightlineError):\n    ${docstring(words)}` };
  });
  const retryable = codes.map(([code, { retryable: rule }]) => {
    const python = rule === true ? 'True' : rule === false ? 'False' : quoted(rule);
    return `    ${quoted(code)}: ${python},`;
  });
  const operations = methods.map((method) => {
    const { id, verb, path, timeout, items, next } = method;
    const parameters = parametersOf(method).map(({ name }) => `${quoted(name)}, `);
    // its other parameters are the same for every operation
    const own = id === 'account-price' ? '' : `, parameters=(${parameters.join('').trimEnd()})`;
    const paging = items && next ? `, ${quoted(items)}, ${quoted(next)}` : verb === 'GET' ? '' : `, method=${quoted(verb)}`;
    return `    ${quoted(id)}: Operation(${quoted(id)}, ${quoted(path)}, ${timeout.toFixed(1)}${paging}${own}),`;
  });
  const names = [...declared.keys(), ...errors.map((e) => e.name)].sort();
  return `${[
    '"""Made from the contract by `npm run generate`. Do not edit."""',
    '# ruff: noqa\n\nfrom __future__ import annotations',
    'from collections.abc import AsyncIterator, Iterator\nfrom typing import TYPE_CHECKING, Any, Literal, TypedDict',
    'from ._errors import SightlineError\nfrom ._types import Answer, CallOptions, Operation',
    'if TYPE_CHECKING:\n    from typing_extensions import NotRequired, Unpack',
    `__all__ = [\n${names.map((name) => `    ${quoted(name)},`).join('\n')}\n]`,
    [...declared.values()].map((text) => text.trimEnd()).join('\n\n\n'),
    errors.map((e) => e.text).join('\n\n\n'),
    `ERROR_CLASSES: dict[str, type[SightlineError]] = {\n${errors.map((e) => `    ${quoted(e.code)}: ${e.name},`).join('\n')}\n}`,
    `# "stated": only where the answer has Retry-After\nRETRYABLE: dict[str, bool | str] = {\n${retryable.join('\n')}\n}`,
    `OPERATIONS: dict[str, Operation] = {\n${operations.join('\n')}\n}`,
    ...classes,
  ].join('\n\n')}\n`;
}
