import type { OperationView } from '../../contract/contract-view.ts';
import { type IconName, isIconName } from '../parts/icons.tsx';
import { pageAt } from './place.ts';
import { type ApiRequest, contract, withQuery } from './session.ts';

export const operationOf = (id: string): OperationView | null => contract.value?.operations.find((o) => o.id === id) ?? null;

export const operationName = (id: string): string => operationOf(id)?.name ?? id;
export const operationIcon = (id: string): IconName => {
  const icon = operationOf(id)?.icon;
  return icon !== undefined && isIconName(icon) ? icon : 'box';
};

export const operationChoices = (): readonly (readonly [id: string, name: string])[] =>
  contract.value?.operations.map(({ id, name }) => [id, name] as const) ?? [];

/** The address of the Workbench with a form that is filled; opening it does not run. */
export const workbenchAt = (id: string, values?: ApiRequest['query']): string => withQuery(pageAt(`/console/w/${id}`), values);

export const requestAt = (requestId: string): string => pageAt(`/console/requests/${encodeURIComponent(requestId)}`);
export const watchAt = (watchId: string): string => pageAt(`/console/watches/${encodeURIComponent(watchId)}`);
