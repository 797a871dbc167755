import type { Answer } from '../../outside/answer.ts';

const NAMED = /charset\s*=\s*["']?([\w-]+)/i;

/** The page as text, in the charset that its header or its head names; UTF-8 else. */
export function pageText(answer: Answer): string {
  const head = new TextDecoder('latin1').decode(answer.body.subarray(0, 2048));
  const label =
    NAMED.exec(answer.headers['content-type'] ?? '')?.[1] ?? NAMED.exec(/<meta[^>]+charset[^>]*>/i.exec(head)?.[0] ?? '')?.[1] ?? 'utf-8';
  return decode(answer.body, label);
}
function decode(body: Uint8Array, label: string): string {
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    return new TextDecoder().decode(body); // a charset that nobody knows
  }
}
