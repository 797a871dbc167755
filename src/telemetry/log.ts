import { pino } from 'pino';
import { createLogOutput } from './log-output.ts';

/** The log, with pino's signature: fields first, then the message. */
export interface Log {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
  isLevelEnabled(level: string): boolean;
}

interface LogOptions {
  readonly level: string;
  readonly pretty: boolean;
  /** File descriptor; default 2, since standard output carries the output of commands. */
  readonly fd?: number;
}

/** Paths whose values are secrets: redacted in every line. */
const SECRETS = ['apiKey', 'credential', 'password', 'secret', 'token', 'authorization', 'headers'];
export const REDACTED: readonly string[] = SECRETS.flatMap((name) => [name, `*.${name}`]);

export function createLog(options: LogOptions): pino.Logger {
  const settings: pino.LoggerOptions = {
    level: options.level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: [...REDACTED], censor: '[redacted]' },
  };
  const fd = options.fd ?? 2;
  if (!options.pretty) {
    const log: pino.Logger = pino(
      settings,
      createLogOutput(fd, (lines) => log.warn({ lines }, 'log: lines were lost')),
    );
    return log;
  }
  return pino({ ...settings, transport: { target: 'pino-pretty', options: { destination: fd, translateTime: 'SYS:HH:MM:ss.l' } } });
}

export const silent: Log = { debug() {}, info() {}, warn() {}, error() {}, isLevelEnabled: () => false };
