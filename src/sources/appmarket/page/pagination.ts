import type { Pagination } from '../../../contract/operations/appmarket.ts';
import type { Page } from './html-page.ts';

/**
 * The pagination of a page, from the labels of its page links (present twice, for small and large screens). The largest number is the last
 * page. Without labels the first page is the only one; a later page is past the end, and states no total. `asked` (the requested page) is used if no label names the current page.
 */
export function paginationOf(page: Page, asked: number): Pagination {
  let totalPages: number | null = null;
  let currentPage: number | null = null;
  let hasNextPage = false;
  for (const controls of page.all('pager')) {
    for (const link of page.all('labelled', controls)) {
      const label = page.attribute(link, 'aria-label')?.trim() ?? '';
      if (/^go to next page$/i.test(label) && link.name === 'button' && page.attribute(link, 'disabled') === null) hasNextPage = true;
      const [, current, number = ''] = /^(current page, |go to )page ([\d,]+)$/i.exec(label) ?? [];
      if (!current) continue;
      const named = Number(number.replaceAll(',', ''));
      totalPages = Math.max(totalPages ?? 1, named);
      if (/^current/i.test(current)) currentPage ??= named;
    }
    if (page.first('related', controls)) hasNextPage = true;
  }
  return { hasNextPage, totalPages: totalPages ?? (asked === 1 ? 1 : null), currentPage: currentPage ?? asked };
}
