import { duration, plural } from '../parts/format.ts';
import { type Fact, Metrics } from '../parts/stated.tsx';
import type { Answer } from './answer.ts';

/** `Cache-Status` in words. */
function cacheWords(field: string | undefined): string {
  if (!field) return 'not used';
  if (/;\s*hit/.test(field)) return 'answered from the cache';
  if (/collapsed/.test(field)) return 'joined a running lookup';
  return 'asked the source';
}

/** What an answer cost, where it came from and how long it took. */
export function Receipt({ answer }: { answer: Answer }) {
  const header = (name: string) => answer.received.get(name);
  const facts: Fact[] = [
    ['Status', <strong key="status">{answer.status || 'no answer'}</strong>],
    [
      'Charged',
      <span key="charged" data-charged={header('x-credits-charged') ?? '0'}>
        {plural(Number(header('x-credits-charged') ?? 0), 'credit')}
      </span>,
    ],
    ['Left', header('x-credits-remaining') ? plural(Number(header('x-credits-remaining')), 'credit') : '–'],
    ['Source', header('x-data-source') ?? '–'],
    ['Cache', answer.status === 200 ? cacheWords(header('cache-status')) : '–'],
    ['Age', header('age') === undefined ? '–' : plural(Number(header('age')), 'second')],
    ['Time', duration(answer.ms)],
    ['Size', answer.text ? `${(answer.text.length / 1000).toFixed(1)} kB` : '–'],
  ];
  return (
    <div class="receipt">
      <Metrics metrics={facts} />
    </div>
  );
}
