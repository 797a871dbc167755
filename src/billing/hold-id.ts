/** `<account>.<uuid>`. */
export function splitHoldId(holdId: string): readonly [accountId: string, id: string] {
  const dot = holdId.lastIndexOf('.');
  return [holdId.slice(0, Math.max(0, dot)), holdId.slice(dot + 1)];
}

/** One line of plain text, at most 200 characters: it is part of the chain. */
export const plainLine = (text: string): string =>
  PLAIN.test(text)
    ? text
    : text
        .toWellFormed()
        .replace(/\p{Cc}+/gu, ' ')
        .slice(0, 200)
        .toWellFormed();
const PLAIN = /^[ -~]{0,200}$/;
