import { textOf } from '../dom/text.ts';
import type { GooglePage } from './organic.ts';

/** The line that states the number of results; newer pages carry it in a script only. Null where the page states none. */
export function statsLine(page: GooglePage): string | null {
  for (const stats of page.all('stats')) {
    const text = textOf(stats, (e) => e.name === 'nobr');
    if (text) return text;
  }
  return /result-stats\\(?:x22|")\\?(?:x3e|>)([^<\\]{1,120})/.exec(page.source)?.[1] ?? null;
}
