import type { Watch } from '../../contract/account/watch-schemas.ts';
import type { ListedKey } from '../../contract/admin/schemas.ts';

/** The ids of a key, of the keys that end with it, and of those that they replaced. */
export function endingWith(keyId: string, keys: readonly Pick<ListedKey, 'keyId' | 'madeBy' | 'replacedBy'>[]): ReadonlySet<string> {
  const ending = new Set([keyId]);
  for (let before = 0; before < ending.size; ) {
    before = ending.size;
    for (const key of keys) if (ending.has(key.madeBy ?? '') || ending.has(key.replacedBy ?? '')) ending.add(key.keyId);
  }
  return ending;
}

/** The watches that check no more once these keys are revoked. */
export const stoppingWith = <W extends Pick<Watch, 'keyId' | 'stopped'>>(
  ending: ReadonlySet<string>,
  watches: readonly W[],
): readonly W[] => watches.filter((watch) => ending.has(watch.keyId) && watch.stopped !== 'key');
