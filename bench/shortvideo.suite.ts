import { random } from '../sandbox/random.ts';
import { VIDEOS } from '../sandbox/shortvideo/facts.ts';
import { videoPage } from '../sandbox/shortvideo/pages.ts';
import { dataScripts, readVideoPage } from '../src/sources/shortvideo/page/parse.ts';
import type { Answer } from '../src/upstream/answer.ts';
import { atMost, interleaved, type Row } from './measure.ts';

const PAGE_BYTES = 400_000;
/** About four fifths of a real page is its data script; the rest is markup and other scripts. */
const DATA_SHARE = 0.8;

/** A desktop page of the platform's size: interface strings fill the data script, markup the rest. */
function pageOf(bytes: number): { answer: Answer; script: Uint8Array; id: string } {
  const [video] = VIDEOS;
  if (!video) throw new Error('the world has no videos');
  const r = random('words of the interface');
  const words: Record<string, string> = {};
  let size = 0;
  for (let i = 0; size < bytes * DATA_SHARE; i++) {
    words[`webapp_label_${i}`] = `Text ${r.int(0, 1e9)} – „grüße“ / ${'lorem ipsum '.repeat(r.int(1, 6))}`;
    size += 40 + (words[`webapp_label_${i}`]?.length ?? 0);
  }
  const page = videoPage(video, 0)
    .replace('"webapp.i18n-translation":{}', `"webapp.i18n-translation":${JSON.stringify(words).replace(/\//g, '\\u002F')}`)
    .replace(
      '<div id="app"></div>',
      `<div id="app">${'<div class="tiktok-x"><span>more</span></div>'.repeat((bytes * (1 - DATA_SHARE)) / 46)}</div>`,
    );
  const script = dataScripts(page).get('__UNIVERSAL_DATA_FOR_REHYDRATION__') ?? '';
  return { answer: { status: 200, headers: {}, body: Buffer.from(page), url: '', atMs: 0 }, script: Buffer.from(script), id: video.id };
}

/** The page reader against `JSON.parse` of the same bytes (the page's data script) in the same run. */
export async function suite(): Promise<Row[]> {
  const { answer, script, id } = pageOf(PAGE_BYTES);
  const url = `https://www.tiktok.com/@_/video/${id}`;
  const read = (): void => {
    const outcome = readVideoPage(answer, { url });
    if (outcome.tag !== 'found') throw new Error(`${outcome.tag} instead of the video`);
  };
  const times = await interleaved({ parse: () => JSON.parse(Buffer.from(script).toString()) as unknown, read }, 101);
  const note = `${times.read.toFixed(2)} ms to ${times.parse.toFixed(2)} ms, ${Math.round(answer.body.length / 1000)} kB`;
  return [atMost('short-video page of 400 kB read, times JSON.parse', times.read / times.parse, 3, note)];
}
