import type { NewWatch, NewWatchList } from '../client/watches.ts';
import { allWatches, dueFirst } from '../contract/account/all-watches.ts';
import { type AccountEndpoint, accountEndpoints, type EndpointId } from '../contract/account/endpoints.ts';
import { Account, AccountPrice } from '../contract/account/schemas.ts';
import { readNewWatch, readWatchList } from '../contract/account/watch-input.ts';
import type { WatchChanges, WatchEdit } from '../contract/account/watch-schemas.ts';
import { invalid, orRefuse, ServiceError } from '../contract/errors.ts';
import { type Operation, operationList, priceInWords } from '../contract/operations/index.ts';
import { PRESENTATIONS } from '../contract/operations/presentations.ts';
import type { Shape } from '../contract/resource-fields.ts';
import type { Settings } from '../settings.ts';
import { demandKnown, demandObject, operationMeant, readArguments, textsOf, wholeNumber } from './arguments.ts';
import { type ChangesPage, type ToolCalls, type WatchCalls, waitFor } from './calls.ts';
import { ACCOUNT, PRICE, WATCHES } from './guidance.ts';
import { manyTool } from './many.ts';
import type { JsonSchema } from './schemas.ts';
import { bodyInputOf, inputSchemaOf, outputSchemaOf, PRICE_INPUT, plainOutputOf, toolNameOf } from './schemas.ts';
import { shape } from './shape.ts';
import { annotations, answered, inCredits, orFailure, shapedAnswer, stated, type Tool } from './tool.ts';

function lookupTool(operation: Operation, settings: Settings): Tool {
  const { title, use, fresh, limits } = PRESENTATIONS[operation.id].guidance;
  const deadlineMs = settings[operation.deadline.setting];
  return {
    name: toolNameOf(operation.id),
    description: `${use} Cost: ${priceInWords(settings.SIGHTLINE_PRICES, operation)}. Takes ${deadlineMs / 1000} s at most. ${fresh} Limits: ${limits}`,
    inputSchema: inputSchemaOf(operation.parameters),
    outputSchema: outputSchemaOf(operation.resource),
    annotations: annotations(title, true),
    target: { id: operation.id, operation },
    run: (calls, given, { clock, signal, report, twice }) =>
      orFailure(calls, async () => {
        const { input, texts, understood, maxCredits, patienceMs, shaping } = readArguments(operation, given);
        const cachedOnly = shaping.cursor !== null;
        const lookup = { operation, input, texts, maxCredits, cachedOnly, signal };
        const answer = await waitFor(calls, lookup, { clock, deadlineMs, patienceMs, report }).catch(async (error: unknown) => {
          const isGone = cachedOnly && hasCode(error, 'NOT_CACHED');
          if (!isGone && !(maxCredits !== null && hasCode(error, 'INSUFFICIENT_CREDITS'))) throw error;
          const { charge } = await calls.price(operation, texts, input);
          const cost = inCredits(charge);
          if (isGone)
            throw new ServiceError(
              'NOT_CACHED',
              `The answer that this cursor continues is no longer stored: call again without cursor, which costs ${cost}.`,
            );
          if (maxCredits === null || charge <= maxCredits) throw error;
          throw new ServiceError(
            'INSUFFICIENT_CREDITS',
            `This call costs ${cost}, and maxCredits allows ${maxCredits}: nothing was done. Give maxCredits ${charge} or more, or ask for less.`,
          );
        });
        return answered(shapedAnswer(operation, answer, { understood, shaping }, twice), { untrusted: true, twice });
      }),
  };
}

const hasCode = (error: unknown, code: string): boolean => error instanceof Error && 'code' in error && error.code === code;

/** A tool without a source. `untrusted`: its answer holds text of third parties. */
const plainTool = (
  [id, name]: readonly [id: EndpointId, name: string],
  { title, description }: { readonly title: string; readonly description: string },
  inputSchema: JsonSchema,
  resource: Shape,
  untrusted: boolean,
  run: (calls: ToolCalls, given: unknown, twice: boolean) => Promise<object>,
): Tool => ({
  name,
  description,
  inputSchema,
  outputSchema: plainOutputOf(resource),
  annotations: annotations(title, false),
  target: { id, operation: null },
  run: (calls, given, { twice }) => orFailure(calls, async () => answered({ ...(await run(calls, given, twice)) }, { untrusted, twice })),
});

const priceTool = plainTool(['account-price', 'price'], PRICE, PRICE_INPUT, AccountPrice, false, async (calls, given) => {
  // `tool` and `arguments` are the names of earlier versions
  const { tool, arguments: meant, operation: named = tool, parameters = meant, ...more } = demandObject(given);
  demandKnown(more, Object.keys(Object(PRICE_INPUT.properties)));
  const operation = operationMeant(named);
  const { texts, input, understood } = readArguments(operation, parameters);
  return { ...(await calls.price(operation, texts, input)), ...stated(understood) };
});

const accountTool = plainTool(['account', 'account'], ACCOUNT, inputSchemaOf([], {}), Account, false, (calls) => calls.account());

/** Entries of a page: fewer than over HTTP, because a model reads them. */
const PAGE = 10;
const SETTINGS = ['every', 'creditsPerMonth', 'fields', 'name', 'tags', 'due', 'notify'];
const ADD_ARGUMENTS = ['operation', 'parameters', ...SETTINGS];
const EDIT_ARGUMENTS = [...SETTINGS.filter((name) => !['fields', 'name'].includes(name)), 'paused', 'takeOver'];
/** What watch_add says of them at length. */
const SAID_BEFORE = Object.fromEntries(SETTINGS.map((name) => [name, 'As in watch_add.']));
/** What a tool that writes a watch answers with, of the entry that watch_list has. */
const WRITTEN = ['watchId', 'costPerMonth', 'nextAt', 'paused', 'due', 'dueDate', 'stopped', 'notify'];
/** What makes a watch for each line of a list, in place of `parameters` and `name`. */
const LIST_ARGUMENTS = {
  lines: { type: 'string', description: 'Instead of parameters and name: a watch for each line, or row of CSV with a header.' },
  make: { type: 'boolean', description: 'Of lines: make them. Else it says which, and what they cost.' },
  skipInvalid: { type: 'boolean', description: 'Of lines: make the others where one cannot be read.' },
};
/** Lines that the answer to a list has. */
const SAID_LINES = 20;
const WATCH_ARGUMENT = { watch: { type: 'string', description: 'watchId of the watch.' } };
const SEND_TEST = {
  sendTest: { type: 'boolean', description: 'Alone: send its targets a test message and say in tests what each answered.' },
};
const DUE_WITHIN = { dueWithin: { type: 'integer', description: 'Only dates at most so many days ahead, the nearest first.' } };

const endpointOf = (id: keyof typeof WATCHES) => accountEndpoints.find((one) => one.id === id) as AccountEndpoint;
const bodySchemaOf = (id: keyof typeof WATCHES) => endpointOf(id).body?.schema ?? {};
/** Arguments of a page; its size and order are those of the tool. */
const pageInputOf = (id: keyof typeof WATCHES, more = {}) =>
  inputSchemaOf(
    endpointOf(id).parameters.filter(({ name }) => !['limit', 'order'].includes(name)),
    more,
  );

/** `run`: with the arguments that are not null, because models send null for what they do not use. */
function watchTool(
  id: keyof typeof WATCHES,
  schema: JsonSchema,
  run: (
    watches: WatchCalls,
    given: Readonly<Record<string, unknown>>,
    page: (query: Readonly<Record<string, unknown>>) => ChangesPage,
    twice: boolean,
  ) => Promise<object>,
): Tool {
  const { body, resource, readInput } = endpointOf(id);
  const known = Object.keys(Object(schema.properties));
  const tool = plainTool([id, WATCHES[id].name], WATCHES[id], schema, resource, true, (calls, meant, twice) => {
    const given = Object.fromEntries(Object.entries(demandObject(meant)).filter(([, value]) => value !== null));
    demandKnown(given, known);
    const page = (query: Readonly<Record<string, unknown>>) => {
      const { rest: _, ...read } = orRefuse(readInput(Object.entries(textsOf({ limit: PAGE, ...query }))));
      return read as ChangesPage;
    };
    return run(calls.watches, given, page, twice);
  });
  if (!body) return tool;
  const hints = { readOnlyHint: false, idempotentHint: false, destructiveHint: id === 'account-watch-edit' };
  return { ...tool, outputSchema: plainOutputOf(resource, WRITTEN), annotations: { ...tool.annotations, ...hints } };
}

const watchTools: readonly Tool[] = [
  watchTool(
    'account-watch-create',
    bodyInputOf({ ...bodySchemaOf('account-watch-create'), required: ['operation', 'every'] }, ADD_ARGUMENTS, {}, {}, LIST_ARGUMENTS),
    async (watches, given) => {
      // models know operations by the names of their tools
      const asked = typeof given.operation === 'string' ? { ...given, operation: given.operation.replaceAll('_', '-') } : given;
      operationMeant(given.operation);
      if (given.lines === undefined) {
        // they give numbers as such
        const one = { ...asked, parameters: textsOf(demandObject(given.parameters)) };
        readNewWatch(one);
        return watches.add(one as object as NewWatch);
      }
      readWatchList(asked);
      const { watches: those, leftOut, ...sums } = await watches.import(asked as object as NewWatchList);
      const counts = { total: those.length, leftOutTotal: leftOut.length };
      return { ...sums, ...counts, watches: those.slice(0, SAID_LINES), leftOut: leftOut.slice(0, SAID_LINES) };
    },
  ),
  watchTool(
    'account-watch-edit',
    bodyInputOf(bodySchemaOf('account-watch-edit'), EDIT_ARGUMENTS, SAID_BEFORE, WATCH_ARGUMENT, SEND_TEST),
    async (watches, given) => {
      const { watch, sendTest, ...edit } = given;
      if (typeof watch !== 'string') throw invalid('Argument watch is missing: it is the watchId of the watch that is changed.');
      if (sendTest === undefined || sendTest === false) return watches.edit(watch, edit as WatchEdit);
      const [other] = Object.keys(edit);
      if (sendTest !== true || other !== undefined)
        throw invalid(`Argument sendTest must be true and stand alone: leave ${other ?? 'it'} out, or change the watch in a call before.`);
      return watches.test(watch);
    },
  ),
  watchTool('account-watches', pageInputOf('account-watches', DUE_WITHIN), async (watches, { dueWithin, ...query }, page) => {
    const days = wholeNumber('dueWithin', dueWithin, 0);
    if (days === null) return watches.list(page(query));
    const all = await allWatches((asked) => watches.list(asked));
    const due = dueFirst(all.watches).filter(({ dueDate }) => Number(dueDate?.daysLeft) <= days);
    return { ...all, watches: due.slice(0, PAGE), total: due.length, after: null, hasMore: due.length > PAGE };
  }),
  watchTool('account-changes', pageInputOf('account-changes'), async (watches, given, page, twice) => {
    const found = await watches.changes(page(given));
    const { data } = shape({ ...found }, 'changes', { fields: null, maxItems: null, cursor: null }, twice);
    const { changes, after, hasMore } = data as object as WatchChanges;
    const isCut = changes.length < found.changes.length;
    return { changes, after: isCut ? (changes.at(-1)?.cursor ?? null) : after, hasMore: isCut || hasMore };
  }),
];

/** Every tool, in the order in which it is listed: the account first, because a first call of it costs nothing. */
export const createTools = (settings: Settings): readonly Tool[] => [
  accountTool,
  priceTool,
  ...operationList.map((o) => lookupTool(o, settings)),
  manyTool(settings),
  ...watchTools,
];
