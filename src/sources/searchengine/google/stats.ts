import { textOf } from '../dom/text.ts';
import type { GooglePage } from './organic.ts';

/** The line that states the number of results; newer pages contain it in a script only. Null if the page states none. */
export function statsLine(page: GooglePage): string | null {
  for (const stats of page.all('stats')) {
    const text = textOf(stats, (e) => e.name === 'nobr');
    if (text) return text;
  }
  const script = page.source.from('result-stats\\', 200);
  return script === null ? null : (/^result-stats\\(?:x22|")\\?(?:x3e|>)([^<\\]{1,120})/.exec(script)?.[1] ?? null);
}
