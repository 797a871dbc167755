/** Epoch ms of a provider's timestamp ("2019-11-15 12:57:46 +00:00", "2025-09-30 17:40:43 UTC"); null for any other value. */
export function epochMsIn(value: unknown): number | null {
  const match = typeof value === 'string' && /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)?\s*(UTC|Z|[+-]\d\d:\d\d)$/.exec(value.trim());
  if (!match) return null;
  const ms = Date.parse(`${match[1]}T${match[2]}${match[3] === 'UTC' ? 'Z' : match[3]}`);
  return Number.isNaN(ms) ? null : ms;
}
