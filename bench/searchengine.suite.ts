import { atLeast, atMost, interleaved, type Row } from './measure.ts';
import { jsonWorks, largePage, pageWorks } from './searchengine.ts';

const ms = (n: number): string => `${n.toFixed(2)} ms`;

/** A result page of 600 kB and provider JSON of 100 results, against parsing alone and against cheerio. */
export async function suite(): Promise<Row[]> {
  const { bytes, ...works } = pageWorks(largePage());
  // cheerio leaves so much garbage that it slows the next measurement: each ratio has its own round
  const alone = await interleaved({ parse: works.parse, reader: works.reader }, 80);
  const page = await interleaved({ reader: works.reader, cheerio: works.cheerio, cheerioDefault: works.cheerioDefault }, 40);
  const { bytes: jsonBytes, results, parse, reader } = jsonWorks();
  // one parse is too short for the clock: forty of each
  const forty = (work: () => unknown) => () => {
    for (let i = 0; i < 40; i++) work();
  };
  const json = await interleaved({ parse: forty(parse), reader: forty(reader) }, 40);
  const note = `${Math.round(bytes / 1000)} kB: reader ${ms(alone.reader)}, htmlparser2 alone ${ms(alone.parse)}, cheerio ${ms(page.cheerio)}, its default ${ms(page.cheerioDefault)}`;
  return [
    atMost('result page: whole reader / htmlparser2 alone', alone.reader / alone.parse, 1.6, note),
    atLeast('result page: cheerio over htmlparser2 / reader', page.cheerio / page.reader, 2, note),
    atLeast('result page: cheerio default / reader', page.cheerioDefault / page.reader, 4, note),
    atMost(
      `provider JSON of ${results} results: reader / JSON.parse of the same bytes`,
      json.reader / json.parse,
      1.6,
      `${Math.round(jsonBytes / 1000)} kB: reader ${ms(json.reader / 40)}, JSON.parse ${ms(json.parse / 40)}`,
    ),
  ];
}
