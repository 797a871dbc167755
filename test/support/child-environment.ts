/** Environment of a process that a test starts: none of the runner's settings, but its cache of compiled modules, by which it starts in half the time. */
export const CHILD_ENVIRONMENT: Readonly<Record<string, string>> = Object.fromEntries(
  ['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
);
