import type { Block, SerpFact } from './facts.ts';

/** A time in the provider's format, in UTC. */
export const stamp = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').slice(0, 19);

export function advancedItems(fact: SerpFact, pages: readonly (readonly Block[])[]): Record<string, unknown>[] {
  const groups = new Map<string, number>();
  let absolute = 0;
  return pages.flatMap((blocks, page) =>
    blocks.map((b) => {
      const item = itemOf(b, fact);
      const group = (groups.get(String(item.type)) ?? 0) + 1;
      groups.set(String(item.type), group);
      return {
        ...item,
        rank_group: group,
        rank_absolute: ++absolute,
        page: page + 1,
        position: 'left',
        xpath: '/html[1]/body[1]',
        rectangle: null,
      };
    }),
  );
}
function itemOf(b: Block, fact: SerpFact): Record<string, unknown> {
  switch (b.kind) {
    case 'result': {
      const { title, url, domain, description, breadcrumb, siteName, rating, featured } = b.result;
      if (featured)
        return {
          type: 'featured_snippet',
          domain,
          title,
          featured_title: null,
          description,
          timestamp: null,
          url,
          images: null,
          table: null,
        };
      return {
        type: 'organic',
        domain,
        title,
        url,
        cache_url: null,
        related_search_url: null,
        breadcrumb,
        website_name: siteName,
        is_image: false,
        is_video: false,
        is_featured_snippet: false,
        is_malicious: false,
        is_web_story: false,
        description,
        pre_snippet: null,
        extended_snippet: rating ? `Rating: ${rating.value} · \u200e${rating.votes} reviews · \u200e$49.00 to $129.00` : null,
        images: null,
        amp_version: false,
        rating: rating && {
          rating_type: rating.max === 5 ? 'Max5' : 'CustomMax',
          value: rating.value,
          votes_count: rating.votes,
          rating_max: rating.max,
        },
        price: rating && {
          current: 49,
          regular: null,
          max_value: 129,
          currency: 'USD',
          is_price_range: true,
          displayed_price: '$49.00 to $129.00',
        },
        highlighted: [fact.keyword],
        links: null,
        faq: null,
        extended_people_also_search: null,
        about_this_result: {
          type: 'about_this_result_element',
          url,
          source: null,
          source_info: `${siteName} was first indexed more than ten years ago.`,
          source_url: null,
          language: 'English',
          location: 'the United States',
          search_terms: fact.keyword.split(' '),
          related_terms: null,
        },
        related_result: null,
        timestamp: null,
      };
    }
    case 'ad':
      return {
        type: 'paid',
        title: b.ad.title,
        domain: b.ad.domain,
        website_name: null,
        breadcrumb: `https://${b.ad.domain}`,
        url: b.ad.url,
        extra: { ad_aclk: 'DChcSE' },
        description: b.ad.description,
        description_rows: null,
        links: null,
        price: null,
        rating: null,
      };
    case 'relatedQuestions':
      return {
        type: 'people_also_ask',
        items: b.relatedQuestions.map((title) => ({ type: 'people_also_ask_element', title, expanded_element: null })),
      };
    case 'images':
      return { type: 'images', title: 'Images', url: 'https://www.google.com/search?udm=2', items: [] };
    case 'related':
      return { type: 'related_searches', items: fact.related };
    case 'overview': {
      const [first, heading, ...items] = fact.overview?.lines ?? [];
      const cited = fact.overview?.references.map((r) => ({
        type: 'ai_overview_reference',
        source: r.source,
        domain: r.domain,
        url: `${r.url}#:~:text=Good`,
        title: r.title,
        text: null,
      }));
      return {
        type: 'ai_overview',
        asynchronous_ai_overview: true,
        markdown: fact.overview?.lines.join('\n'),
        references: cited,
        items: [
          {
            type: 'ai_overview_element',
            title: null,
            text: first,
            markdown: first,
            links: null,
            images: null,
            references: cited?.slice(0, 1),
          },
          {
            type: 'ai_overview_element',
            title: heading,
            text: items.join('\n'),
            markdown: '',
            links: null,
            images: null,
            references: null,
          },
        ],
      };
    }
  }
}
