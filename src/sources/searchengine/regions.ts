import { readTable } from '../../runtime/table.ts';
import type { SerpInput } from './result.ts';

/** The interface language of engine A: ISO 639-1 except for languages that it splits by script or country. */
export function engineLanguage({ language, location }: SerpInput): string {
  if (language === 'zh') return ['TW', 'HK', 'MO'].includes(location) ? 'zh-TW' : 'zh-CN';
  if (language === 'pt') return location === 'BR' ? 'pt-BR' : 'pt-PT';
  if (language === 'jv') return 'jw';
  return language === 'nb' || language === 'nn' ? 'no' : language;
}
let table: ReadonlyMap<string, ReadonlySet<string>> | undefined;
/** The documented values of a kind; undefined where the provider documents none. */
function listed(provider: string, engine: SerpInput['engine'], kind: string): ReadonlySet<string> | undefined {
  table ??= new Map(
    readTable(new URL('./regions.tsv', import.meta.url)).map(([of, on, what, values = '']) => [
      `${of} ${on} ${what}`,
      new Set(values.split(' ')),
    ]),
  );
  return table.get(`${provider} ${engine} ${kind}`);
}

/** The market of engine B for a language and a country, in the provider's form; null where it documents none. */
export function marketOf(provider: string, { engine, language, location }: SerpInput): string | null {
  const market = `${language === 'nb' || language === 'nn' ? 'no' : language}-${location.toLowerCase()}`;
  return listed(provider, engine, 'market')?.has(market) ? market : null;
}
/** The language that most people of the country use: what a country alone stands for. */
export const isLanguageOf = ({ language, location }: SerpInput): boolean =>
  new Intl.Locale(`und-${location}`).maximize().language === language;
/** The country that a language alone stands for. */
export const isCountryOf = ({ language, location }: SerpInput): boolean => new Intl.Locale(language).maximize().region === location;

/** False where the provider documents that it does not have the region or the language of an input: a request must fail. */
export function servesRegion(provider: string, input: SerpInput): boolean {
  const { engine, location } = input;
  const countries = listed(provider, engine, 'country');
  if (listed(provider, engine, 'without')?.has(location)) return false;
  if (listed(provider, engine, 'market'))
    return marketOf(provider, input) !== null || (countries?.has(location) === true && isLanguageOf(input));
  const languages = listed(provider, engine, 'language');
  return countries?.has(location) !== false && languages?.has(engineLanguage(input).toLowerCase()) !== false;
}
