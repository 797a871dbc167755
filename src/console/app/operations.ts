import type { OperationView } from '../../contract/contract-view.ts';
import type { IconName } from '../parts/icons.tsx';
import { at } from './place.ts';
import { type ApiRequest, contract, withQuery } from './session.ts';

const NAMES: ReadonlyMap<string, readonly [name: string, icon: IconName]> = new Map(
  Object.entries({
    serp: ['Search results', 'search'],
    'short-video': ['Short video', 'video'],
    'microblog-post': ['Microblog post', 'comment'],
    'forum-community': ['Community posts', 'posts'],
    'forum-search': ['Post search', 'find'],
    'forum-comments': ['Comments', 'comments'],
    app: ['App', 'grid'],
    'app-reviews': ['App reviews', 'star'],
    'appstore-reviews': ['App store reviews', 'star'],
    'app-keywords': ['App ranking', 'ranking'],
    'app-developer': ['Developer', 'person'],
    'appstore-category': ['Category', 'tag'],
    traffic: ['Traffic', 'pulse'],
    registration: ['Domain registration', 'globe'],
  }),
);

export const operationName = (id: string): string => NAMES.get(id)?.[0] ?? id;
export const operationIcon = (id: string): IconName => NAMES.get(id)?.[1] ?? 'box';

export const operationOf = (id: string): OperationView | null => contract.value?.operations.find((o) => o.id === id) ?? null;

export const operationChoices = (): readonly (readonly [id: string, name: string])[] =>
  contract.value?.operations.map(({ id }) => [id, operationName(id)] as const) ?? [];

/** The address of the Workbench with a form that is filled; opening it does not run. */
export const workbenchAt = (id: string, values?: ApiRequest['query']): string => withQuery(at(`/console/w/${id}`), values);

export const requestAt = (requestId: string): string => at(`/console/requests/${encodeURIComponent(requestId)}`);
export const watchAt = (watchId: string): string => at(`/console/watches/${encodeURIComponent(watchId)}`);
