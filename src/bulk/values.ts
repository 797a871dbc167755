import type { Understand } from '../contract/lists/input.ts';
import { COUNTRIES, codeNamed, LANGUAGES } from '../contract/parameters/code-names.ts';
import { country, language } from '../contract/parameters/iso.ts';
import type { Parameter } from '../contract/parameters/parameter.ts';
import { readPasted } from '../contract/parameters/pasted.ts';
import { type Shape, shapeOf } from '../contract/resource-fields.ts';

export interface ValueOptions {
  /** Sign before the decimals of a number. */
  readonly decimal: '.' | ',';
  /** Other words for values, in lower case. */
  readonly words?: ReadonlyMap<string, string>;
  /** The language is that of the country where a line names none. */
  readonly languageOfCountry?: boolean;
}

const plainText = (text: string): string => text.trim().toLowerCase().normalize('NFC');

/** The language that most people of a country write; null where none is listed. */
export function languageOf(code: string): string | null {
  const { language: found } = new Intl.Locale(`und-${code}`).maximize();
  return found && LANGUAGES.has(found) ? found : null;
}

/** A whole number as spreadsheets write it, in plain digits: `1.000`, `10,0`; null: it is none. */
function wholeNumber(text: string, decimal: '.' | ','): string | null {
  const group = decimal === ',' ? '.' : ',';
  const [, digits = '', fraction = ''] =
    new RegExp(`^(\\d{1,3}(?:[\\${group}\\s\u00a0\u202f]\\d{3})+|\\d+)(?:\\${decimal}(\\d*))?$`).exec(text.trim()) ?? [];
  return digits && /^0*$/.test(fraction) ? digits.replace(/\D/g, '') : null;
}

const isOf = (parameter: Parameter, type: { readonly schema: unknown }): boolean => parameter.schema === type.schema;

/** What a text means that is no value of the parameter as it stands; null: nothing that is known. */
export function meantBy(parameter: Parameter, text: string, { decimal, words }: ValueOptions): string | null {
  const { type, enum: values }: Shape = shapeOf(parameter.schema);
  const meant = parameter.codes
    ? codeNamed(parameter.codes, text)
    : type === 'integer'
      ? wholeNumber(text, decimal)
      : values
        ? (values.map(String).find((value) => plainText(value) === plainText(text)) ?? words?.get(plainText(text)) ?? null)
        : null;
  return meant !== null && parameter.read(meant).ok ? meant : null;
}

/** Reads addresses as the command line does, and names, numbers and other words for the values that they mean. */
export const understanding =
  (options: ValueOptions): Understand =>
  (parameters, given) => {
    const pasted = readPasted(parameters, given);
    const understood = [...pasted.understood];
    const pairs = pasted.pairs.map(([name, text]): readonly [string, string] => {
      const parameter = parameters.find((p) => p.name === name);
      if (!parameter || parameter.read(text).ok) return [name, text];
      const value = meantBy(parameter, text, options);
      if (value === null) return [name, text];
      understood.push({ name, given: text, value });
      return [name, value];
    });
    const [place, tongue] = [country, language].map((type) => parameters.find((p) => isOf(p, type)));
    const named = pairs.find(([name]) => name === place?.name)?.[1];
    if (
      !options.languageOfCountry ||
      !tongue ||
      named === undefined ||
      !COUNTRIES.has(named.trim().toUpperCase()) ||
      pairs.some(([name]) => name === tongue.name)
    )
      return { pairs, understood };
    const spoken = languageOf(named.trim().toUpperCase());
    return { pairs: spoken === null ? pairs : [...pairs, [tongue.name, spoken]], understood };
  };
