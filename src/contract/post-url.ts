import { bad, good, type Read } from './input.ts';

/** Every URL shape of a post that the platform itself hands out. */
export function readPostUrl(given: string): Read<string> {
  const m = /^https:\/\/(?:x|twitter)\.com\/\w+\/status\/(\d{1,20})$/.exec(given.trim());
  return m ? good(given.trim()) : bad('must be the URL of one post');
}
