import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { luaOf, SCRIPTS, type ScriptName } from '../../src/fleet/wire/scripts.ts';

const COUNTS = 'test:branches';
/** Counts a branch, and gives back the condition. */
const COUNTER = `local function branch(id, value)
  redis.call('HINCRBY', '${COUNTS}', id .. (value and ' is true' or ' is false'), 1)
  return value
end
`;
const FOLDER = new URL('../../src/fleet/wire/lua/', import.meta.url).pathname;
const SHARED = globSync('include/*.lua', { cwd: FOLDER }).map(
  (file) => [file, readFileSync(`${FOLDER}${file}`, 'utf8').split('\n')] as const,
);

const CONDITION = /\b(if|elseif|while) (.+?) (then|do)\b/g;
const LOOP = /\bfor (.+?) do\b/g;

/** The script with a counter at each branch, and the names of what must run: both ways of each condition, and the body of each loop. */
function counted(name: ScriptName): { readonly lua: string; readonly branches: readonly string[] } {
  const branches: string[] = [];
  const lines = luaOf(name)
    .split('\n')
    .map((line) => {
      if (line.startsWith('--')) return line;
      const file = SHARED.find(([, text]) => text.includes(line))?.[0] ?? name;
      let n = 0;
      const idOf = (text: string): string =>
        `${file}: ${line.trim().slice(0, 60)} #${n++} (${text.slice(0, 60)})`.replaceAll('"', "'").replaceAll('\\', '');
      return line
        .replace(CONDITION, (_, word: string, condition: string, begin: string) => {
          const id = idOf(condition);
          branches.push(`${id} is true`, `${id} is false`);
          return `${word} branch("${id}", ${condition}) ${begin}`;
        })
        .replace(LOOP, (loop, what: string) => {
          const id = idOf(what);
          branches.push(`${id} is true`);
          return `${loop} branch("${id}", true)`;
        });
    });
  return { lua: `${COUNTER}${lines.join('\n')}`, branches };
}

/** Lets every Redis client of this process run the counted scripts. Returns what has not run so far, and how many branches there are. */
export function countBranches() {
  const bySha = new Map<string, string>();
  const all = new Set<string>();
  for (const name of Object.keys(SCRIPTS) as ScriptName[]) {
    const { lua, branches } = counted(name);
    bySha.set(createHash('sha1').update(luaOf(name)).digest('hex'), lua);
    for (const branch of branches) all.add(branch);
  }
  const proto = Redis.prototype as unknown as Record<'call' | 'callBuffer', (...args: unknown[]) => Promise<unknown>>;
  const own = { call: proto.call, callBuffer: proto.callBuffer };
  for (const name of ['call', 'callBuffer'] as const)
    proto[name] = function (this: Redis, command, sha, ...rest) {
      const lua = command === 'evalsha' ? bySha.get(String(sha)) : undefined;
      return lua === undefined ? own[name].call(this, command, sha, ...rest) : own[name].call(this, 'eval', lua, ...rest);
    };
  return {
    count: all.size,
    async missing(redis: Redis): Promise<readonly string[]> {
      const run = await redis.hgetall(COUNTS);
      return [...all].filter((branch) => !(branch in run)).sort();
    },
    restore: () => Object.assign(proto, own),
  };
}
