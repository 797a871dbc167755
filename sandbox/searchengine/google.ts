import { type Block, esc, grouped, type ResultFact, type SerpFact } from './facts.ts';

/** Result pages of engine A in the engine's markup: desktop with scripts, phone, and without scripts. */
type Layout = 'desktop' | 'mobile' | 'plain';

const stars = (r: ResultFact): string => {
  if (!r.rating) return '';
  const { value, votes, max } = r.rating;
  const drawn = ((value / max) * 5).toFixed(1);
  return `<span aria-hidden="true" class="z3HNkc" aria-label="Rated ${drawn} out of 5," role="img"><span style="width:56px"></span></span> <span>Rating: ${value}${max === 10 ? '/10' : ''}</span> · \u200e<span>${grouped(votes)} reviews</span> · \u200e<span>$49.00 to $129.00</span>`;
};

const desktopEntry = (r: ResultFact): string => {
  const [site = '', ...path] = r.breadcrumb.split(' › ');
  const byline = `<div class="notranslate HGLrXd"><div class="q0vns"><div class="CA5RN"><div><span class="VuuXrf">${esc(r.siteName)}</span></div><div class="byrV5b"><cite class="qLRx3b" role="text">${esc(site)}<span role="text"> › ${esc(path.join(' › '))}</span></cite></div></div></div></div>`;
  return `<div class="MjjYud"><div class="A6K0A" data-rpos="1"><div class="wHYlTd tF2Cxc" lang="en" data-hveid="CCMQAA"><div class="N54PNb" data-snc="s1"><div class="kb0PBd" data-snf="x5WNvb" data-snhf="0"><div class="yuRUbf"><span><a class="zReHs" jsname="UWckNb" href="${esc(r.url)}" data-ved="2ah"><h3 class="LC20lb">${esc(r.title)}</h3><br>${byline}</a><div class="B6fmyf">${byline}</div></span></div></div><div class="kb0PBd" data-snf="nke7rc" data-sncf="1"><div class="VwiC3b">${esc(r.description)}</div></div>${r.rating ? `<div class="kb0PBd" data-snf="mCCBcf" data-sncf="3"><div class="fG8Fp">${stars(r)}</div></div>` : ''}</div></div></div></div>`;
};
const desktopSnippet = (r: ResultFact): string =>
  `<div class="MjjYud"><block-component><div class="g kno-result" data-hveid="CCQQAA"><h2 class="bNg8Rb">Featured snippet from the web</h2><div class="wDYxhc" data-md="61"><div class="LGOjhe" data-attrid="wa:/description" aria-level="3" role="heading"><span>${esc(r.description)}</span></div><div class="g"><div class="tF2Cxc"><div class="yuRUbf"><a href="${esc(r.url)}"><h3 class="LC20lb">${esc(r.title)}</h3><br><div><span class="VuuXrf">${esc(r.siteName)}</span><cite role="text">${esc(r.breadcrumb)}</cite></div></a></div></div></div></div></div></block-component></div>`;
const mobileEntry = (r: ResultFact): string =>
  `<div class="MjjYud"><div class="Ww4FFb xpd"><div class="kvH3mc" data-snc="ih6J"><div class="Z26q7c" data-snf="x5WNvb" data-snhf="0"><a class="cz3goc" role="presentation" href="${esc(r.url)}"><div><span><div class="Aozhyc"><span>${esc(r.siteName)}</span></div><span class="yKd8Hd ob9lvb" role="text">${esc(r.breadcrumb)}</span></span></div><div class="oewGkc" aria-level="3" role="heading"><div role="link">${esc(r.title)}</div></div></a></div><div class="Z26q7c" data-sncf="1" data-snf="nke7rc"><div class="VwiC3b">${esc(r.description)}</div></div>${r.rating ? `<div data-sncf="3" data-snf="mCCBcf"><div>${stars(r)}</div></div>` : ''}</div></div></div>`;
const plainEntry = (r: ResultFact): string =>
  `<div><div class="Gx5Zad xpd"><div class="egMi0 kCrYT"><a href="/url?q=${encodeURIComponent(r.url)}&amp;sa=U&amp;ved=2ah&amp;usg=AOv"><div><h3 class="zBAuLc"><div class="BNeawe">${esc(r.title)}</div></h3><div class="sCuL3"><div class="BNeawe UPmit">${esc(r.breadcrumb.replace('https://', ''))}</div></div></div></a></div><div class="kCrYT"><div><div class="BNeawe s3v9rd"><div>${esc(r.description)}</div></div></div></div></div></div>`;

const ad = (b: Extract<Block, { kind: 'ad' }>, layout: Layout): string => {
  const click = 'https://www.google.com/aclk?sa=l&amp;ai=DChcSE&amp;sig=AOD64';
  const pcu = `https://${b.ad.domain}/,https://click.${b.ad.domain}/`;
  const href = layout === 'plain' ? click : esc(b.ad.url);
  return `<div class="uEierd"><div${layout === 'plain' ? '' : ' data-text-ad="1" data-hveid="CAgQAA"'}><div><a class="cz3goc" role="presentation" href="${href}" data-pcu="${pcu}" data-agdh="fvd3vc"><span>Sponsored</span><div aria-level="3" role="heading"><span>${esc(b.ad.title)}</span></div></a></div><div class="w1C3Le"><div>${esc(b.ad.description)}</div></div></div></div>`;
};
const relatedQuestions = (b: Extract<Block, { kind: 'relatedQuestions' }>, keyword: string): string =>
  `<div class="MjjYud"><div class="cUnQKe" data-initq="${esc(keyword)}"><div aria-level="2" role="heading"><span>People also ask</span></div>${b.relatedQuestions.map((q) => `<div class="related-question-pair" jsname="yEVEwb" data-q="${esc(q)}"><div role="button" tabindex="0"><span>${esc(q)}</span></div><div style="display:none"><a href="https://answers.example/"><h3>An answer</h3></a></div></div>`).join('')}</div></div>`;
const images = (keyword: string): string =>
  `<div class="MjjYud"><div id="imagebox_bigimages"><div aria-level="2" role="heading">Images</div><g-scrolling-carousel><a href="/search?q=${encodeURIComponent(keyword)}&amp;udm=2"><img alt="${esc(keyword)}"></a></g-scrolling-carousel></div></div>`;
function overview(fact: SerpFact): string {
  const { overview } = fact;
  if (!overview) return '';
  const [first = '', heading = '', ...items] = overview.lines;
  const cards = overview.references
    .map(
      (r, i) =>
        `<li class="jydCyd"><div class="MFrAxb" data-src-id="${i + 1}"><a class="NDNGvf" target="_blank" aria-label="${esc(r.title)}. Opens in new tab." href="${esc(r.url)}#:~:text=Good"></a><div><div><span>${esc(r.title)}</span></div><span>2026 — ${esc(r.source)} says more.</span></div></div></li>`,
    )
    .join('');
  return `<div id="eKIzJc"><div data-mcpr="" class="YzCcne"><div data-async-type="folsrch"><div id="m-x-content"><div><div><span class="YWpX0d"><span>An AI Overview is not available for this search</span></span><span class="YWpX0d"><span>Can't generate an AI overview right now. Try again later.</span></span><div aria-level="2" role="heading">AI Overview</div></div></div><div data-subtree="aimc"><div data-container-id="main-col" class="mZJni"><div class="n6owBd">${esc(first)}<span class="WBgIic notranslate" data-wiz-uids="q"><button data-icl-uuid="b8" aria-label="${esc(overview.references[0]?.source ?? '')} (+2)"><span>${esc(overview.references[0]?.source ?? '')}</span><span>+2</span></button></span></div><div class="otQkpb" aria-level="3" role="heading">${esc(heading)}</div><ul>${items.map((x) => `<li><span>${esc(x)}</span></li>`).join('')}</ul></div><div data-container-id="rhs-col"><ul>${cards}</ul></div></div></div></div></div></div>`;
}

function block(b: Block, fact: SerpFact, layout: Layout): string {
  if (b.kind === 'result') {
    if (layout === 'plain') return plainEntry(b.result);
    if (b.result.featured) return desktopSnippet(b.result);
    return layout === 'mobile' ? mobileEntry(b.result) : desktopEntry(b.result);
  }
  if (layout === 'plain') return '';
  if (b.kind === 'relatedQuestions') return relatedQuestions(b, fact.keyword);
  return b.kind === 'images' ? images(fact.keyword) : '';
}

const ads = (blocks: readonly Block[], place: 'top' | 'bottom', layout: Layout): string =>
  blocks.flatMap((b) => (b.kind === 'ad' && b.place === place ? [ad(b, layout)] : [])).join('');
const shell = (keyword: string, body: string, attributes = ''): string =>
  `<!doctype html><html lang="en"><head><meta charset="UTF-8"><title>${esc(keyword)} - Google Search</title><script nonce="x">window.google={sn:'web'};</script></head><body id="gsr"${attributes}>${body}</body></html>`;

/** Result page `index` (0-based). */
export function googlePage(fact: SerpFact, index: number, layout: Layout): string {
  const blocks = fact.pages[index] ?? [];
  const q = encodeURIComponent(fact.keyword).replace(/%20/g, '+');
  const list = blocks.map((b) => block(b, fact, layout)).join('');
  const hasRelated = blocks.some((b) => b.kind === 'related');
  const more =
    fact.pages.length > index + 1
      ? `<a href="/search?q=${q}&amp;start=${(index + 1) * 10}&amp;sstk=AU9db-x" aria-label="Page ${index + 2}">${index + 2}</a>`
      : '';
  if (layout === 'plain') {
    const related = hasRelated
      ? `<div>${fact.related.map((w) => `<a class="Q71vJc" href="/search?q=${encodeURIComponent(w)}&amp;sa=X"><accordion-entry-search-icon></accordion-entry-search-icon><div>${esc(w)}</div></a>`).join('')}</div>`
      : '';
    return shell(
      fact.keyword,
      `<div id="main"><div><a href="/search?q=${q}&amp;tbm=isch">Images</a></div>${ads(blocks, 'top', layout)}${list}${ads(blocks, 'bottom', layout)}${related}<footer>${more}</footer></div>`,
    );
  }
  const related = hasRelated
    ? `<div id="bres"><div class="MjjYud"><span aria-level="2" role="heading">People also search for</span>${fact.related.map((w) => `<a class="ngTNl" href="/search?q=${encodeURIComponent(w)}&amp;sa=X">${esc(w)}</a>`).join('')}</div></div>`
    : '<div id="bres"></div>';
  const stats =
    layout === 'desktop'
      ? `<div id="result-stats">${index > 0 ? `Page ${index + 1} of about` : 'About'} ${grouped(fact.total)} results<nobr> (0.31 seconds)&nbsp;</nobr></div>`
      : '';
  const over = blocks.some((b) => b.kind === 'overview') ? `<div id="Odp5De">${overview(fact)}</div>` : '';
  const column = `<div id="rso" data-async-context="query:${q}">${list}</div>`;
  return shell(
    fact.keyword,
    `<div role="navigation" id="hdtb"><a href="/search?q=${q}&amp;udm=2">Images</a><a href="/search?q=${q}&amp;tbm=nws">News</a></div>${stats}<div id="main"><div id="cnt"><div id="rcnt"><div id="center_col"><div id="taw"><div id="tvcap"><div id="tads">${ads(blocks, 'top', layout)}</div></div></div>${over}<div id="topstuff"></div>${layout === 'desktop' ? `<div id="search">${column}</div>` : column}<div id="bottomads">${ads(blocks, 'bottom', layout)}</div><div id="botstuff">${related}<div role="navigation">${more}</div></div></div></div></div></div><div id="sfooter" role="contentinfo"></div>`,
  );
}

export const googleNothing = (fact: SerpFact): string =>
  shell(
    fact.keyword,
    `<div id="result-stats">About 0 results<nobr> (0.19 seconds)</nobr></div><div id="main"><div id="cnt"><div id="rcnt"><div id="center_col"><div id="topstuff"></div><div id="search"></div><div id="botstuff"><div class="mnr-c"><div><p aria-level="3" role="heading">Your search - <span><em>${esc(fact.keyword)}</em></span> - did not match any documents.</p><p>Suggestions:</p><ul><li>Make sure all words are spelled correctly.</li><li>Try different keywords.</li></ul></div></div><div id="bres"></div></div></div></div></div></div><div id="sfooter" role="contentinfo"></div>`,
  );
