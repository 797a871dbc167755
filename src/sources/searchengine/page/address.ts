import type { SerpInput } from '../result.ts';

const hl = ({ language, location }: SerpInput): string => {
  if (language === 'zh') return ['TW', 'HK', 'MO'].includes(location) ? 'zh-TW' : 'zh-CN';
  if (language === 'pt') return location === 'BR' ? 'pt-BR' : 'pt-PT';
  return language === 'nb' || language === 'nn' ? 'no' : language;
};

/** URL of a result page; `index` counts from 0. For pages after the first, the engine's own link is preferred. */
export function pageUrl(input: SerpInput, index: number): string {
  if (input.engine === 'engine_b') {
    const query = new URLSearchParams({ q: input.keyword, setlang: input.language, cc: input.location });
    if (index > 0) query.set('first', String(index * 10 + 1));
    return `https://www.bing.com/search?${query}`;
  }
  const query = new URLSearchParams({
    q: input.keyword,
    hl: hl(input),
    gl: input.location.toLowerCase(),
    pws: '0',
    filter: '0',
    ie: 'UTF-8',
    oe: 'UTF-8',
  });
  if (index > 0) query.set('start', String(index * 10));
  return `https://www.google.com/search?${query}`;
}
/** For engine B this header outweighs the URL's language parameters. */
export const acceptLanguage = ({ language, location }: SerpInput): string => `${language}-${location},${language};q=0.9`;
