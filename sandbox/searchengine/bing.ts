import { type Block, esc, grouped, type ResultFact, type SerpFact } from './facts.ts';

/** Result pages of engine B in the engine's markup. */
const base64url = (text: string): string => Buffer.from(text).toString('base64url');
const click = (url: string): string =>
  `https://www.bing.com/ck/a?!&amp;&amp;p=c5aa&amp;ptn=3&amp;hsh=4&amp;u=a1${base64url(url)}&amp;ntb=1`;

const rating = (r: ResultFact): string => {
  if (!r.rating) return '';
  const { value, votes, max } = r.rating;
  return `<div class="b_factrow"><div class="b_vlist2col"><ul><li><div class="b_sritem">${value}/${max}<span class="csrc" role="img" aria-label="Star Rating: ${((value / max) * 5).toFixed(1)} out of 5." data-tag="item.customratingitem"></span><div class="b_sritemp">(${grouped(votes)})</div></div></li></ul></div></div>`;
};
const entry = (r: ResultFact, i: number): string =>
  `<li class="b_algo" data-id="" iid="SERP.${5318 + i}"><div class="b_tpcn"><a class="tilk" aria-label="${esc(r.siteName)}" target="_blank" href="${click(r.url)}"><div class="tptxt"><div class="tptt">${esc(r.siteName)}</div><div class="tpmeta"><div class="b_attribution"><cite>${esc(r.breadcrumb)}</cite></div></div></div></a></div><h2><a target="_blank" href="${click(r.url)}" h="ID=SERP,${5200 + i}.2">${esc(r.title)}</a></h2><div class="b_caption"><p class="b_lineclamp3">${esc(r.description)}</p>${rating(r)}</div></li>`;
const adBlock = (blocks: readonly Block[], place: 'top' | 'bottom'): string => {
  const items = blocks.flatMap((b) => {
    if (b.kind !== 'ad' || b.place !== place) return [];
    const href = `https://www.bing.com/aclick?ld=e8S&amp;u=${Buffer.from(encodeURIComponent(`${b.ad.url}?msclkid=645f20`)).toString('base64url')}&amp;rlid=1`;
    return [
      `<li><div class="sb_add sb_adTA"><h2><a href="${href}">${esc(b.ad.title)}</a></h2><div class="b_caption"><div class="b_attribution"><div class="b_adurl"><cite><a href="${href}">https://${b.ad.domain}</a></cite></div></div><p><span class="b_adSlug">Ad</span>${esc(b.ad.description)}</p></div></div></li>`,
    ];
  });
  return items.length ? `<li class="b_ad${place === 'bottom' ? ' b_adBottom' : ''}"><ul>${items.join('')}</ul></li>` : '';
};

function block(b: Block, fact: SerpFact, i: number): string {
  if (b.kind === 'result') return entry(b.result, i);
  if (b.kind === 'images')
    return `<li class="b_ans b_mop b_imgans" h="SERP,5594.1"><div class="imgAns"><h2><a href="https://www.bing.com/images/search?q=${encodeURIComponent(fact.keyword)}&amp;FORM=IGRE">Images of ${esc(fact.keyword)}</a></h2></div></li>`;
  if (b.kind === 'relatedQuestions')
    return `<li class="b_ans" h="SERP,5556.1"><div id="df_listaa"><div class="df_hd">People also ask</div>${b.relatedQuestions.map((q) => `<div class="df_alsoAsk" data-tag="RelatedQnA.Item" data-query="${esc(q)}"><div class="df_qntext">${esc(q)}</div></div>`).join('')}</div></li>`;
  return '';
}

const frame = (keyword: string, body: string): string =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${esc(keyword)} - Search</title></head><body class="b_respl"><header id="b_header"><nav><a href="/images/search?q=${encodeURIComponent(keyword)}">Images</a></nav></header>${body}<footer id="b_footer"><div>Privacy</div></footer><script>//<![CDATA[\n_G={};\n//]]></script></body></html>`;

export function bingPage(fact: SerpFact, index: number): string {
  const blocks = fact.pages[index] ?? [];
  const q = encodeURIComponent(fact.keyword).replace(/%20/g, '+');
  const related = blocks.some((b) => b.kind === 'related')
    ? `<li class="b_ans" h="SERP,5576.1"><div class="b_rs"><h2>Related searches for <strong>${esc(fact.keyword)}</strong></h2><ul class="b_vList">${fact.related.map((w, i) => `<li><a href="https://www.bing.com/search?q=${encodeURIComponent(w)}&amp;FORM=QSRE${i + 1}">${esc(w)}</a></li>`).join('')}</ul></div></li>`
    : '';
  const first = index * 10 + 1;
  const count = index === 0 ? `About ${grouped(fact.total)} results` : `${first}-${first + 9} of ${grouped(fact.total)} results`;
  const more =
    fact.pages.length > index + 1
      ? `<li><a class="sb_bp" href="/search?q=${q}&amp;first=${first + 10}&amp;FORM=PERE" aria-label="Page ${index + 2}">${index + 2}</a></li>`
      : '';
  return frame(
    fact.keyword,
    `<main aria-label="Search Results"><div id="b_tween"><div id="b_tween_searchResults"><span class="sb_count">${count}</span></div></div><ol id="b_results">${adBlock(blocks, 'top')}${blocks.map((b, i) => block(b, fact, i)).join('')}${adBlock(blocks, 'bottom')}${related}<li class="b_pag"><nav><h4>Pagination</h4><ul>${more}</ul></nav></li></ol><ol id="b_context"></ol></main>`,
  );
}

/** The page for a search without results, also sent to blocked clients. */
export const bingNothing = (keyword: string): string =>
  frame(
    keyword,
    `<main><ol id="b_results"><li class="b_no"><h1>There are no results for <strong>${esc(keyword)}</strong></h1><ul><li>Check your spelling or try different keywords</li></ul><p>Ref A: 0F1E Ref B: LON04 Ref C: 2026-11-01T00:00:00Z</p></li></ol><ol id="b_context"></ol></main>`,
  );
/** The challenge page: status 200, an ordinary title, no results. */
export const bingChallenge = (keyword: string): string =>
  frame(
    keyword,
    '<div class="captcha"><div class="captcha_header">One last step</div><div class="captcha_text">Please solve the challenge below to continue</div><div class="cf-turnstile" data-sitekey="0x4AAA"></div></div>',
  );
