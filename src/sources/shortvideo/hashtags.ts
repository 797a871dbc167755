import { type JsonObject, numberIn, wordsIn } from '../untyped-json.ts';

const IN_CAPTION = /[#＃]([\p{L}\p{N}\p{M}_]+)/gu;

/** A hashtag entity of the caption: offsets are UTF-16 units of the caption as sent. Keys are capitalised in answers up to 2020. */
const mark = (extra: JsonObject) => ({
  name: wordsIn(extra.hashtagName ?? extra.HashtagName ?? extra.hashtag_name),
  isTag: (extra.type ?? extra.Type) === undefined || numberIn(extra.type ?? extra.Type) === 1,
  start: numberIn(extra.start ?? extra.Start),
  end: numberIn(extra.end ?? extra.End),
});

/**
 * Hashtags in the caption's own case: the platform's lists are in lower case, so each tag is looked up at its offsets, then anywhere in the
 * caption. Without a list, the # words of the caption are used. Each tag occurs once, regardless of case.
 */
export function hashtagsOf(caption: string, extras: readonly JsonObject[], titles: readonly unknown[]): string[] {
  const tags = new Map<string, string>();
  const keep = (tag: string): void => {
    const nfc = tag.normalize('NFC');
    const key = nfc.toLowerCase();
    if (nfc !== '' && !tags.has(key)) tags.set(key, nfc);
  };
  const fold = (text: string): string => text.normalize('NFC').toLowerCase();
  const written = new Map([...caption.matchAll(IN_CAPTION)].map((m) => [fold(m[1] ?? ''), m[1] ?? '']));

  for (const extra of extras) {
    const { name, isTag, start, end } = mark(extra);
    if (!name || !isTag) continue;
    const pointed = start !== null && end !== null ? caption.slice(start, end).replace(/^[#＃]/, '') : '';
    keep(fold(pointed) === fold(name) ? pointed : (written.get(fold(name)) ?? name));
  }
  for (const title of titles) {
    const name = wordsIn(title);
    if (name) keep(written.get(fold(name)) ?? name);
  }
  if (extras.length === 0 && titles.length === 0) for (const tag of written.values()) keep(tag);
  return [...tags.values()];
}
