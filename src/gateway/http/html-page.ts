import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Of all pages without script: consent of apps, status. */
const STYLE = readFileSync(new URL('./html-page.css', import.meta.url), 'utf8');

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
/** `body`, `head`: markup. */
export const htmlPage = (title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title>${head}<style>${STYLE}</style></head><body><main><h1>${escaped(title)}</h1>${body}</main></body></html>`;
/** The Content-Security-Policy of such a page: no script, no frame, no other origin. */
export const policyOf = (formAction: string): string =>
  `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`;
