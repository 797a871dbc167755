import { bad, good, type Read } from './input.ts';

/** Every URL shape of a video that the platform itself hands out. */
export function readVideoUrl(given: string): Read<string> {
  const m = /^https:\/\/www\.tiktok\.com\/@([\w.-]*)\/(?:video|photo)\/(\d{15,20})$/.exec(given.trim());
  return m ? good(given.trim()) : bad('must be the URL of one video');
}
