import type { Texts } from './input.ts';

/** What is written for one line of the input. */
export interface OutputLine {
  readonly line: number;
  readonly input: Texts;
  /** HTTP status; null where there was no answer. */
  readonly status: number | null;
  readonly ok: boolean;
  readonly resource?: unknown;
  readonly error?: { readonly code: string; readonly message: string; readonly retryable: boolean };
  readonly credits: number;
  readonly source: string | null;
  /** As `Cache-Status` says; `duplicate`: answered with another line of the same input. */
  readonly cache: string | null;
  /** When it was answered, RFC 3339. */
  readonly at: string;
}

/** A line of the journal; null: the text is none. */
export function readLine(text: string): OutputLine | null {
  try {
    const read = JSON.parse(text) as OutputLine;
    const { line, input, ok, credits } = read;
    return Number.isInteger(line) && typeof input === 'object' && input && typeof ok === 'boolean' && typeof credits === 'number'
      ? read
      : null;
  } catch {
    return null; // the caller names the line
  }
}

/** The line that a duplicate gets, or whose credits were corrected. */
export const changedLine = (text: string, changes: Partial<OutputLine>): string =>
  JSON.stringify({ ...(JSON.parse(text) as OutputLine), ...changes });
