import { hash } from 'node:crypto';

/** Of all pages without script: consent of apps, status. */
const STYLE = `:root{color-scheme:light dark;--page:light-dark(#f5f6f8,#0d0f13);--surface:light-dark(#fff,#14171d);--ink:light-dark(#14161d,#eceef3);
--soft:light-dark(#565d6d,#9ca4b4);--line:light-dark(#e3e5ea,#272c36);--edge:light-dark(#868d9c,#717a8b);--fill:light-dark(#4547c9,#5a5ee0);
--bad:light-dark(#b3261e,#ff9d95)}
body{margin:0;padding:24px 16px;background:var(--page);color:var(--ink);font:400 14px/20px Inter,system-ui,sans-serif}
main{max-width:440px;margin:0 auto;padding:24px;background:var(--surface);border:1px solid var(--line);border-radius:10px}
h1{margin:0 0 16px;font-size:16px;line-height:24px;font-weight:600}p{margin:0 0 12px;overflow-wrap:anywhere}
.soft{color:var(--soft)}.bad{color:var(--bad)}fieldset{margin:0 0 16px;padding:0;border:0}legend{padding:0 0 8px;font-weight:500}
.pick{display:flex;gap:8px;padding:4px 0}.field{display:block;margin:0 0 16px;font-weight:500}
.field input,.field select{display:block;box-sizing:border-box;width:100%;height:40px;margin-top:4px;padding:0 12px;font:inherit;font-size:16px;color:inherit;
background:var(--surface);border:1px solid var(--edge);border-radius:6px}
button{height:40px;margin-right:8px;padding:0 16px;font:inherit;font-weight:500;border:1px solid var(--edge);border-radius:6px;background:var(--surface);color:inherit}
button.main{background:var(--fill);border-color:var(--fill);color:#fff}
main:has(section){max-width:800px;padding:0;background:none;border:0}h2{margin:0;font-size:14px;line-height:20px}
section{margin:0 0 16px;padding:16px;background:var(--surface);border:1px solid var(--line);border-radius:10px}
section p{margin:0 0 8px;color:var(--soft)}svg{display:block;width:100%;height:32px}rect{fill:var(--line)}
rect.up{fill:light-dark(#177245,#4cc38a)}rect.partly{fill:light-dark(#9a5b00,#f0b34e)}rect.down{fill:var(--bad)}`;

export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
/** `body`, `head`: markup. */
export const htmlPage = (title: string, body: string, head = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title>${head}<style>${STYLE}</style></head><body><main><h1>${escaped(title)}</h1>${body}</main></body></html>`;
/** The Content-Security-Policy of such a page: no script, no frame, no other origin. */
export const policyOf = (formAction: string): string =>
  `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`;
