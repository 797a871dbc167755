import { pino } from 'pino';

/** What the gateway writes to: pino's own form, facts first. */
export interface Log {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
  isLevelEnabled(level: string): boolean;
}

export interface LogOptions {
  readonly level: string;
  /** Lines for people instead of JSON: where a terminal reads. */
  readonly pretty: boolean;
  /** File descriptor; 2 leaves standard output to the command's own words. */
  readonly fd?: number;
  /** Waits for each line to be written; default: lines are gathered and leave together. */
  readonly sync?: boolean;
}

/** Paths whose values are secrets, whoever logs them. */
export const REDACTED: readonly string[] = ['apiKey', 'credential', 'password', 'secret', 'token', 'authorization', 'headers'].flatMap(
  (name) => [name, `*.${name}`],
);

/** The service's log: JSON lines with RFC 3339 times, or lines for people. */
export function createLog(options: LogOptions): pino.Logger {
  const settings: pino.LoggerOptions = {
    level: options.level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: [...REDACTED], censor: '[redacted]' },
  };
  const fd = options.fd ?? 2;
  if (!options.pretty) return pino(settings, pino.destination({ fd, sync: options.sync ?? false }));
  return pino({ ...settings, transport: { target: 'pino-pretty', options: { destination: fd, translateTime: 'SYS:HH:MM:ss.l' } } });
}

/** Says nothing. */
export const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, isLevelEnabled: () => false };
