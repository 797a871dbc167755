/**
 * The tools, resources and prompts that the conformance suite of the Model Context Protocol asks for by name. They are added to our server in
 * the test; the handler, the adapter and the route are those of the service.
 */
import { randomUUID } from 'node:crypto';
import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  fromJsonSchema,
  type InputRequest,
  inputRequired,
  type McpServer,
  ResourceTemplate,
  type ServerContext,
  type Transport,
} from '@modelcontextprotocol/server';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const text = (value: string) => ({ type: 'text' as const, text: value });
const said = (value: string) => ({ content: [text(value)] });
const object = (properties: Record<string, object>, required: string[] = Object.keys(properties)) => ({
  type: 'object' as const,
  properties,
  ...(required.length && { required }),
});
const schemaOf = (properties: Record<string, object>, required?: string[]) =>
  fromJsonSchema<Record<string, string>>(object(properties, required));
const NOTHING = schemaOf({});
const WORD = { type: 'string' };

const embedded = (uri: string, value: string, mimeType = 'text/plain') => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: value },
});
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' };
const turn = () => new Promise((resolve) => setImmediate(resolve));

type Run = (given: Record<string, string>, ctx: ServerContext) => unknown;

function addSimpleTools(add: (name: string, run: Run, input?: Record<string, object>) => void): void {
  add('test_simple_text', () => said('This is a simple text response for testing.'));
  add('test_image_content', () => ({ content: [image] }));
  add('test_audio_content', () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }));
  add('test_embedded_resource', () => ({
    content: [embedded('test://embedded-resource', 'This is an embedded resource content.')],
  }));
  add('test_multiple_content_types', () => ({
    content: [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', '{"test":"data","value":123}', 'application/json'),
    ],
  }));
  add('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  add('test_tool_with_logging', async (_, ctx) => {
    for (const message of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await ctx.mcpReq.log('info', message);
      await turn();
    }
    return said('Logged.');
  });
  add('test_logging_tool', async (_, ctx) => {
    await ctx.mcpReq.log('info', 'Logged where the request asks for it');
    return said('Logged.');
  });
  add('test_tool_with_progress', async (_, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await ctx.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } });
      await turn();
    }
    return said('Progressed.');
  });
  add(
    'test_sampling',
    async ({ prompt = '' }, ctx) => {
      // not requestSampling: a server without sessions does not know what its client declared
      const params = { messages: [{ role: 'user', content: text(prompt) }], maxTokens: 100 };
      const { content } = await ctx.mcpReq.send({ method: 'sampling/createMessage', params });
      const [first] = [content].flat();
      return said(`LLM response: ${first?.type === 'text' ? first.text : ''}`);
    },
    { prompt: WORD },
  );
}

const choice = (...values: string[]) => ({ type: 'string', enum: values });
const titled = (word: 'value', ...titles: string[]) => titles.map((title, i) => ({ const: `${word}${i + 1}`, title }));

function addElicitations(add: (name: string, run: Run, input?: Record<string, object>) => void): void {
  const elicit = (
    name: string,
    properties: Record<string, object>,
    message: string,
    input: Record<string, object> = {},
    required?: string[],
  ) =>
    add(
      name,
      async (given, ctx) => {
        const params = { mode: 'form', message: given.message ?? message, requestedSchema: object(properties, required ?? []) };
        const { action, content } = await ctx.mcpReq.send({ method: 'elicitation/create', params });
        return said(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
      },
      input,
    );
  elicit('test_elicitation', { username: WORD, email: WORD }, 'Who are you?', { message: WORD }, ['username', 'email']);
  elicit(
    'test_elicitation_sep1034_defaults',
    {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { ...choice('active', 'inactive', 'pending'), default: 'active' },
      verified: { type: 'boolean', default: true },
    },
    'Check the defaults',
  );
  elicit(
    'test_elicitation_sep1330_enums',
    {
      untitledSingle: choice('option1', 'option2', 'option3'),
      titledSingle: { type: 'string', oneOf: titled('value', 'First Option', 'Second Option', 'Third Option') },
      legacyEnum: { ...choice('opt1', 'opt2', 'opt3'), enumNames: ['Option One', 'Option Two', 'Option Three'] },
      untitledMulti: { type: 'array', items: choice('option1', 'option2', 'option3') },
      titledMulti: { type: 'array', items: { anyOf: titled('value', 'First Choice', 'Second Choice', 'Third Choice') } },
    },
    'Choose',
  );
}

const ask = (message: string, properties: Record<string, object>): InputRequest =>
  ({ method: 'elicitation/create', params: { mode: 'form', message, requestedSchema: object(properties) } }) as InputRequest;
const sample = (prompt: string, maxTokens = 100): InputRequest =>
  ({ method: 'sampling/createMessage', params: { messages: [{ role: 'user', content: text(prompt) }], maxTokens } }) as InputRequest;
const roots = { method: 'roots/list', params: {} } as InputRequest;
/** A name of the suite. */
const CAPITAL = 'capital_question';
const name = ask('What is your name?', { name: WORD });

const codec = createRequestStateCodec<unknown>({ key: randomUUID() });

/** The state that the client sent back, decoded by `verifyState`. */
const stateOf = (ctx: ServerContext): unknown => ctx.mcpReq.requestState();
/** Refuses a state that was changed: an option of our server's library, which our own tools do not need. */
export const verifyState = codec.verify;

/** The answer to one input request; undefined where it is missing or not in its form. */
function responseTo(ctx: ServerContext, key: string, member: string): Record<string, unknown> | undefined {
  const response = ctx.mcpReq.inputResponses?.[key];
  return typeof response === 'object' && response !== null && member in response ? (response as Record<string, unknown>) : undefined;
}

function addInputRequired(add: (name: string, run: Run) => void): void {
  /** Asks until every response is there. */
  const flow = (suffix: string, requests: Record<string, [InputRequest, string]>, withState: boolean, done: (all: string) => string) =>
    add(`test_input_required_result_${suffix}`, async (_, ctx) => {
      const state = stateOf(ctx);
      const responses = Object.entries(requests).map(([key, [, member]]) => responseTo(ctx, key, member));
      if (responses.every(Boolean) && (!withState || state !== undefined)) return said(done(JSON.stringify(responses)));
      return inputRequired({
        inputRequests: Object.fromEntries(Object.entries(requests).map(([key, [request]]) => [key, request])),
        ...(withState && { requestState: await codec.mint({ asked: true }, ctx) }),
      });
    });
  flow('elicitation', { user_name: [name, 'content'] }, false, (all) => `Hello, ${all}!`);
  flow('sampling', { [CAPITAL]: [sample('What is the capital of France?'), 'content'] }, false, (all) => all);
  flow('list_roots', { client_roots: [roots, 'roots'] }, false, (all) => all);
  const confirm = ask('Please confirm', { ok: { type: 'boolean' } });
  flow('request_state', { confirm: [confirm, 'content'] }, true, () => 'state-ok');
  flow('tampered_state', { confirm: [confirm, 'content'] }, true, () => 'state-ok');
  flow(
    'multiple_inputs',
    { user_name: [name, 'content'], greeting: [sample('Generate a greeting', 50), 'content'], client_roots: [roots, 'roots'] },
    true,
    (all) => all,
  );
  add('test_input_required_result_multi_round', async (_, ctx) => {
    const state = stateOf(ctx) as { step?: number } | undefined;
    if (state?.step === 2 && responseTo(ctx, 'step2', 'content')) return said('Both steps are done.');
    const step = state?.step === 1 && responseTo(ctx, 'step1', 'content') ? 2 : 1;
    const requests: Record<string, InputRequest> =
      step === 2
        ? { step2: ask('Step 2: What is your favorite color?', { color: WORD }) }
        : { step1: ask('Step 1: What is your name?', { name: WORD }) };
    return inputRequired({ inputRequests: requests, requestState: await codec.mint({ step }, ctx) });
  });
  add('test_input_required_result_capabilities', (_, ctx) => {
    const declared = (ctx.mcpReq.envelope as Record<string, object> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
    const requests = {
      ...('elicitation' in declared && { user_name: name }),
      ...('sampling' in declared && { greeting: sample('Generate a greeting', 50) }),
      ...('roots' in declared && { client_roots: roots }),
    };
    return Object.keys(requests).length && !ctx.mcpReq.inputResponses
      ? inputRequired({ inputRequests: requests })
      : said('Nothing to ask.');
  });
  add('test_missing_capability', () => inputRequired({ inputRequests: { needed: sample('Anyone there?') } }));
  add('test_streaming_elicitation', () => inputRequired({ inputRequests: { user_name: name } }));
}

function addResourcesAndPrompts(server: McpServer): void {
  const page = (uri: string, mimeType: string, body: { text: string } | { blob: string }) =>
    server.registerResource(uri, uri, { mimeType }, () => ({ contents: [{ uri, mimeType, ...body }] }));
  page('test://static-text', 'text/plain', { text: 'This is the content of the static text resource.' });
  page('test://static-binary', 'image/png', { blob: PNG });
  page('test://watched-resource', 'text/plain', { text: 'Watched.' });
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json' },
    (uri, { id }) => ({
      contents: [
        { uri: uri.href, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) },
      ],
    }),
  );
  type Part = ReturnType<typeof text> | typeof image | ReturnType<typeof embedded>;
  const messages = (...parts: Part[]) => ({ messages: parts.map((content) => ({ role: 'user' as const, content })) });
  const description = 'Fixture';
  server.registerPrompt('test_simple_prompt', { description }, () => messages(text('This is a simple prompt for testing.')));
  const argsSchema = schemaOf({ arg1: WORD, arg2: WORD });
  server.registerPrompt('test_prompt_with_arguments', { description, argsSchema }, ({ arg1, arg2 }) =>
    messages(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description, argsSchema: schemaOf({ resourceUri: WORD }) },
    ({ resourceUri = '' }) =>
      messages(embedded(resourceUri, 'Embedded resource content for testing.'), text('Please process the embedded resource above.')),
  );
  server.registerPrompt('test_prompt_with_image', { description }, () => messages(image, text('Please analyze the image above.')));
  server.registerPrompt('test_input_required_result_prompt', { description }, (ctx) => {
    const response = responseTo(ctx, 'user_context', 'content');
    if (response) return messages(text(`Context: ${JSON.stringify(response.content)}`));
    return inputRequired({ inputRequests: { user_context: ask('What context should the prompt use?', { context: WORD }) } });
  });
}

/** Adds what the suite asks for to our server. `changed`: tells clients that listen that a list has changed. */
export function addFixtures(server: McpServer, changed: (list: 'tools' | 'prompts') => void): McpServer {
  server.server.registerCapabilities({
    logging: {},
    completions: {},
    tools: { listChanged: true },
    prompts: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
  });
  const add = (tool: string, run: Run, input?: Record<string, object>) =>
    server.registerTool(
      tool,
      { description: `Fixture ${tool}`, inputSchema: input ? schemaOf(input) : NOTHING },
      (given, ctx) => run(given, ctx) as never,
    );
  addSimpleTools(add);
  addElicitations(add);
  addInputRequired(add);
  add('test_trigger_tool_change', () => {
    changed('tools');
    return said('Told.');
  });
  add('test_trigger_prompt_change', () => {
    changed('prompts');
    return said('Told.');
  });
  addResourcesAndPrompts(server);
  server.server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['paris', 'park', 'party'], total: 3, hasMore: false },
  }));
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
  return server;
}

/**
 * Gives the answers of a client to the requests that a fixture sent it. Our own tools never ask the client anything, and the service has no
 * sessions, so that a client of 2025-11-25 sends its answer in a POST that another server reads.
 */
export function createAnswerRouting(): (server: McpServer) => McpServer {
  const asked = new Map<string, { transport: Transport; id: string | number }>();
  return (server) => {
    const connectOnly = server.connect.bind(server);
    server.connect = async (transport) => {
      const send = transport.send.bind(transport);
      transport.send = (message, options) => {
        if (!('method' in message) || !('id' in message)) return send(message, options);
        const id = randomUUID();
        asked.set(id, { transport, id: message.id });
        return send({ ...message, id }, options);
      };
      await connectOnly(transport);
      const receive = transport.onmessage;
      transport.onmessage = (message, extra) => {
        const owner = 'method' in message || !('id' in message) ? undefined : asked.get(String(message.id));
        if (!owner) return receive?.(message, extra);
        asked.delete(String('id' in message && message.id));
        owner.transport.onmessage?.({ ...message, id: owner.id }, extra);
      };
    };
    return server;
  };
}
