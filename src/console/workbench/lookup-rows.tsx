import { useEffect } from 'preact/hooks';
import type { AccountRequest } from '../../contract/account/schemas.ts';
import type { OperationView } from '../../contract/contract-view.ts';
import { operationIcon, operationName, operationOf, requestAt, workbenchAt } from '../app/operations.ts';
import { Ago, type ListEntry, StatusPill } from '../parts/display.tsx';
import { inWords } from '../parts/format.ts';
import { askPrice, examplesOf, priceOf, type Values } from './request.ts';

const inputWords = ({ parameters }: AccountRequest): string => (parameters ? inWords(parameters) : '');

export const lookupRow = (request: AccountRequest): ListEntry => ({
  id: request.requestId,
  icon: operationIcon(request.operation),
  href: request.parameters ? workbenchAt(request.operation, request.parameters) : requestAt(request.requestId),
  first: inputWords(request) || operationName(request.operation),
  second: inputWords(request) && operationName(request.operation),
  aside: [
    <StatusPill key="status" status={request.status} />,
    <span key="at" class="about">
      <Ago at={request.at} />
    </span>,
  ],
});

/** A lookup that is offered: its operation, its form and its words. */
export type Next = readonly [id: string, values: Values, name?: string];

export const nextRow = ([id, values, first = operationName(id)]: Next): ListEntry => ({
  ...{ id: `${id} ${Object.values(values)}`, icon: operationIcon(id), href: workbenchAt(id, values), first },
  aside: <span class="about">{priceOf(id, values)}</span>,
});

export function exampleRow(operation: OperationView, examples: Values = examplesOf(operation)): ListEntry {
  return { ...nextRow([operation.id, examples]), second: inWords(examples) };
}

/** The most rows of a list of lookups. */
export const MOST_ROWS = 5;
/** Asks for the price of the first of these lookups, so that cached answers are said to be free. */
export function usePrices(lookups: readonly Next[]): void {
  const asked = lookups.slice(0, MOST_ROWS);
  useEffect(() => {
    const ends = asked.flatMap(([id, values]) => {
      const operation = operationOf(id);
      return operation ? [askPrice(operation, values, 0)] : [];
    });
    return () => {
      for (const end of ends) end();
    };
  }, [JSON.stringify(asked)]);
}
