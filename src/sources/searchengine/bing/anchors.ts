import { planOf } from '../../html/selectors.ts';

/**
 * Selectors of the page's parts. The engine's class names are unchanged since 2013; ids, URLs and data attributes are used where they are
 * missing. (Sources: recorded pages of 2021 to 2026.)
 */
export const ANCHORS = {
  column: '#b_results',
  algo: '.b_algo',
  ad: '.b_ad, a[href*="/aclick?"], a[href*="/aclk?"]',
  nothing: '.b_no',
  count: '.sb_count',
  /** Contains the result count on pages where the class is missing. */
  countPlace: '#b_tween_searchResults',
  /** The line above the list, whatever its parts are called. */
  toolbar: '#b_tween',
  answer: '.b_ans',
  heading: 'h1, h2, h3, [role="heading"]',
  context: '#b_context',
  pole: '#b_pole',
  top: '#b_topw',
  question: '[data-tag^="RelatedQnA"], .df_alsoAsk, .df_alaskcr, .df_qntext, #relatedQnAListDisplay',
  generated:
    '.copans_container, .developer_answercard_wrapper, #b_sydConvCont, .rd_gencon_ttle, [data-dataurl*="RichDeveloper"], [class*="gencon"], .gs_main, #gs_main, [data-tag*="GenerativeAI"], [data-tag^="WholePageTemplate"]',
  snippet: '.b_top, .b_focusTextLarge, .df_c, .df_con',
  local:
    '#lMapContainer, .lm_maptop, .b_localRes, .dynMap, [data-tag="common.MapControl"], [etype="Business"], [data-partnertag="Local_list"], .lgb_lg',
  shopping: '.pa_carousel, #sh_, [data-tag^="Shopping"], .b_shoppingAns, .br-sp, a[href*="/shop?"], a[href*="/shop/"]',
  video: '.b_vidAns, .vsathm, [data-tag*="VideoTile"], a[href*="/videos/search"], a[href*="/videos/riverview"]',
  image: '.b_imgans, a[href*="/images/search"]',
  news: '.b_nwsAns, .na_cnt, .na_cl, a[href*="/news/search"], a[href*="/news/apiclick"]',
  entity: '.b_entityTP, .b_entityTitle, [data-feedbk-ids]',
  pageLink: 'a[href*="first="]',
  relatedLink: 'a[href*="/search?"]',
  related: '.b_rs, #brsv3, #inline_rs, .richrsrailsugwrapper, [data-tag^="RichRS"]',
  challenge: '.captcha, .captcha_header, [data-sitekey], #turnstile-widget, .cf-turnstile, iframe[src*="challenges.cloudflare.com"]',
  foot: '#b_footer, .b_pag',
} as const;
export type BingAnchor = keyof typeof ANCHORS;
export const PLAN = planOf(ANCHORS);
