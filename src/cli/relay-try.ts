import { visibleJson } from '../contract/errors.ts';
import { OPERATIONS } from '../contract/operations/index.ts';
import { thereIsNo } from '../contract/parameters/misspelt.ts';
import { presenceIn } from '../monitoring/field-presence.ts';
import { realClock } from '../runtime/clock.ts';
import { readSettings } from '../settings.ts';
import { parseRelays, type Relay } from '../sources/relay/config.ts';
import { demandExpressions, relaySource } from '../sources/relay/connector.ts';
import type { Ask } from '../sources/source.ts';
import type { Http, HttpRequest } from '../upstream/ports.ts';
import { bytesOfFile, fail, pairsOf, textOfFile } from './option-values.ts';
import { createPorts } from './service.ts';
import { forTerminal, plural, sayFrom } from './terminal.ts';

const MAX_SHOWN = 2_000;
const MASK = '•••';

function chosen(relays: readonly Relay[], name: string | undefined): Relay {
  const names = relays.map(({ id }) => id.replace('relay/', ''));
  const relay = name === undefined ? relays[0] : relays[names.indexOf(name)];
  if (relay && (name !== undefined || relays.length === 1)) return relay;
  if (names.length === 0) return fail('The file has no relay: /relays is an empty list.');
  if (name === undefined) return fail(`The file has ${relays.length} relays: choose with --name ${names.join(' or ')}.`);
  return fail(thereIsNo('relay', name, names));
}

/** `sightline relay try <file>`: request without secrets, payload, resource, and which of its fields are missing or unread. Exit code 1 where there is no resource. */
export async function tryRelay(file: string, options: { name?: string; input?: readonly string[]; answer?: string }): Promise<void> {
  const relays = parseRelays(textOfFile(file), process.env, file);
  await demandExpressions(relays);
  const relay = chosen(relays, options.name);
  const operation = OPERATIONS[relay.operation];
  const read = operation.readInput(pairsOf(options.input ?? [], '--input', 'query=acme'));
  if (!read.ok) fail(read.why);
  /** An answer of the provider: nothing is sent. */
  const saved = options.answer === undefined ? null : bytesOfFile(options.answer);
  const settings = readSettings(process.env);
  const ports = await createPorts(settings, sayFrom(settings.SIGHTLINE_LOG_LEVEL), realClock);
  const masked = (text: string): string => forTerminal(relay.secrets.reduce((shown, secret) => shown.replaceAll(secret, MASK), text));
  const show = (title: string, text: string): void => void process.stdout.write(`${title.padEnd(9)} ${masked(text)}\n`);

  async function ask(request: HttpRequest): ReturnType<Http['ask']> {
    show('request', `${request.method ?? 'GET'} ${request.url}`);
    for (const [name, value] of Object.entries(request.headers ?? {})) show('', `${name}: ${value}`);
    if (request.body !== undefined) show('', request.body);
    const reply = saved
      ? { tag: 'answer' as const, answer: { status: 200, headers: {}, body: saved, url: request.url, atMs: realClock.now() } }
      : await ports.http.ask(request);
    if (reply.tag === 'answer') {
      const { status, body } = reply.answer;
      show('answer', `HTTP ${status}, ${plural(body.length, 'byte')}`);
      const text = Buffer.from(body).toString('utf8');
      show('payload', text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)` : text);
    }
    return reply;
  }
  try {
    const asks = relaySource(relay).open({ ...ports, http: { ask } });
    const lookup = asks[relay.operation] as Ask<typeof relay.operation>;
    const limitMs = settings[operation.deadline.setting];
    // the input was read for this operation
    const input = (read as { value: Parameters<typeof lookup>[0] }).value;
    const outcome = await lookup(input, { signal: AbortSignal.timeout(limitMs), deadlineMs: realClock.now() + limitMs });
    if (outcome.tag !== 'found') {
      show('outcome', [outcome.tag, outcome.what, outcome.detail ?? ''].filter(Boolean).join(': '));
      process.exitCode = 1;
      return;
    }
    show('outcome', 'found');
    show('resource', visibleJson(outcome.resource, 2));
    show('missing', presenceIn(outcome.resource as object).missing.join(', ') || 'nothing');
    show('unread', outcome.unread?.join(', ') ?? 'nothing');
  } finally {
    await ports.close();
  }
}
