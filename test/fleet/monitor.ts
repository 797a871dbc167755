import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';

/** Sent by timers, independent of the load: heartbeat, purges, trimming of replies, blocking reads, checks for stalled jobs. */
const PERIODIC =
  /sightline:(fleet|epochs)|^(xread|xtrim|bzpopmin|info|client|hello|ping|subscribe|select|script) |^pexpire sightline-replies|^evalsha \w+ \d+ \S+:stalled /i;

export interface Monitor {
  /** Commands so far, without those that scripts run and those that timers send. */
  readonly commands: readonly string[];
  close(): void;
}

/** Lists the commands that clients send to a Redis (MONITOR). */
export async function monitorRedis(url: string): Promise<Monitor> {
  const commands: string[] = [];
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () => socket.write('MONITOR\r\n'));
  const lines = createInterface(socket);
  // the first line confirms the command; then +1700000000.123456 [0 127.0.0.1:40000] "GET" "key", where scripts have the source "lua"
  await once(lines, 'line');
  lines.on('line', (line) => {
    const [, source, quoted] = /^\+[\d.]+ \[0 (\S+)\] (.*)$/.exec(line) ?? [];
    const command = quoted?.replaceAll('"', '').slice(0, 120);
    if (command && source !== 'lua' && !PERIODIC.test(command)) commands.push(command);
  });
  return { commands, close: () => socket.destroy() };
}
