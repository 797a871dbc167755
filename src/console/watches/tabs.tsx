import { pageAt, path } from '../app/place.ts';
import './conditions.css';

const TABS = { '/console/watches': 'Watches', '/console/changes': 'Changes', '/console/messages': 'Messages' };

/** The pages of the watches. */
export const WatchTabs = () => (
  <nav class="tabs" aria-label="Pages of the watches">
    {Object.entries(TABS).map(([to, name]) => (
      <a key={to} href={pageAt(to)} aria-current={path.value === to ? 'page' : undefined}>
        {name}
      </a>
    ))}
  </nav>
);
