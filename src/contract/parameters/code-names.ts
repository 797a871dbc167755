/** ISO 3166-1 alpha-2, officially assigned. */
export const COUNTRIES: ReadonlySet<string> = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ ' +
    'DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP ' +
    'KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM ' +
    'PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ ' +
    'UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
  ).split(' '),
);

/** ISO 639-1. */
export const LANGUAGES: ReadonlySet<string> = new Set(
  (
    'aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho ' +
    'hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl ' +
    'nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ' +
    've vi vo wa wo xh yi yo za zh zu'
  ).split(' '),
);

/** Codes that people know by the names of what they stand for: `Intl.DisplayNames` has the same words. */
export type Codes = 'region' | 'language';
export const CODES: Readonly<Record<Codes, ReadonlySet<string>>> = { region: COUNTRIES, language: LANGUAGES };

/** Languages whose names of countries and languages are read. */
const READ = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv', 'da', 'nb', 'fi', 'cs', 'tr', 'ru', 'uk', 'ja', 'zh', 'ko'];
/** Names of countries that are in use, and which the locale data lacks. */
const ALSO: Readonly<Record<string, string>> = {
  ...{
    usa: 'US',
    us: 'US',
    unitedstatesofamerica: 'US',
    america: 'US',
    uk: 'GB',
    england: 'GB',
    greatbritain: 'GB',
    grossbritannien: 'GB',
  },
  ...{ holland: 'NL', turkey: 'TR', uae: 'AE', czechrepublic: 'CZ', tschechien: 'CZ', korea: 'KR' },
};
/** Longest text that may be a name. */
const MAX_LENGTH = 60;

/** Letters alone, without their accents. */
const lettersOf = (name: string): string =>
  name
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase();

/** By the names in each language that is read, and in the code's own. */
function readNames(of: Codes): ReadonlyMap<string, string> {
  const names = new Map(of === 'region' ? Object.entries(ALSO) : []);
  const codes = CODES[of];
  const add = (locale: string, code: string): void => {
    const name = lettersOf(displayOf(locale, of).of(code) ?? '');
    // a name that two languages give to two codes stays with the first
    if (name !== '' && !names.has(name)) names.set(name, code);
  };
  for (const locale of READ) for (const code of codes) add(locale, code);
  for (const code of codes) add(of === 'language' ? code : new Intl.Locale(`und-${code}`).maximize().language, code);
  return names;
}
const displays = new Map<string, Intl.DisplayNames>();
function displayOf(locale: string, type: Codes): Intl.DisplayNames {
  const known = displays.get(locale + type) ?? new Intl.DisplayNames([locale], { type, fallback: 'none' });
  displays.set(locale + type, known);
  return known;
}

const names: Partial<Record<Codes, ReadonlyMap<string, string>>> = {};
/** The code of a country or a language that is named in words: `Germany`, `Deutschland` and `Allemagne` are DE. Null: nothing is called so. */
export function codeNamed(of: Codes, text: string): string | null {
  if (text.length > MAX_LENGTH) return null;
  names[of] ??= readNames(of);
  return names[of].get(lettersOf(text)) ?? null;
}
