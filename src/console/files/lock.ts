/**
 * Runs `work` in one tab alone: while another tab of this browser has the file, `say` tells that, and this one waits. Where the browser has no
 * locks, as on plain http off loopback, the work is done at once.
 */
export async function withLock(
  id: string,
  signal: AbortSignal,
  say: (isElsewhere: boolean) => void,
  work: (hasWaited: boolean) => Promise<void>,
): Promise<void> {
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) return work(false);
  const name = `sightline-file-${id}`;
  const isFree = await locks.request(name, { ifAvailable: true }, async (lock) => {
    say(lock === null);
    if (lock) await work(false);
    return lock !== null;
  });
  if (isFree) return;
  try {
    await locks.request(name, { signal }, async () => {
      say(false);
      await work(true);
    });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
