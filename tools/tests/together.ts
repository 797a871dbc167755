/**
 * Runs the given test files one after the other in this process. Each is a suite of the name of the file: its hooks apply to its own tests,
 * and it is loaded when the one before it is done. A file that cannot be loaded is a failed suite. An error that nothing catches is one of
 * its file here, and of its test where the file is run again alone.
 */
import hooks, { type AsyncHook } from 'node:async_hooks';
import { resolve } from 'node:path';

// Node follows every promise to know of which test an error is, which takes up to a third of the time: here only while a file is loaded
const { createHook } = hooks;
let following: AsyncHook | undefined;
hooks.createHook = (callbacks) => (following = createHook(callbacks));
const { after, describe } = await import('node:test');
hooks.createHook = createHook;

const lost: unknown[] = [];
const note = (error: unknown): void => void lost.push(error);
const EVENTS = ['uncaughtException', 'unhandledRejection'];
for (const event of EVENTS) process.on(event, note);
for (const file of process.argv.slice(2)) {
  following?.enable();
  await describe(file, async () => {
    after(() => {
      const [error] = lost.splice(0);
      if (error) throw error;
    });
    await import(resolve(file));
    following?.disable();
  });
}
for (const event of EVENTS) process.off(event, note);
