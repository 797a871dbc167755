import type { Retryable } from './retryable.ts';
import type { TableForm } from './tables.ts';

/** What a form field needs of a parameter. Patterns are left out: the price endpoint reads every value with the service's own reader. */
export interface ParameterView {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly example: string | number;
  readonly default: string | number | null;
  readonly schema: {
    readonly type: 'string' | 'integer';
    readonly enum?: readonly string[];
    readonly minimum?: number;
    readonly maximum?: number;
  };
}
export interface OperationView {
  readonly id: string;
  /** Id of the area. */
  readonly area: string;
  /** Template with `{name}` for path parameters. */
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly ParameterView[];
  /** The price as a phrase, at the operator's prices. */
  readonly price: string;
  readonly resourceName: string;
  /** Tables of its answers. */
  readonly tables: { readonly entries: TableForm | null; readonly paid: TableForm | null };
}
export interface ErrorView {
  readonly code: string;
  readonly status: number;
  /** Whether a lookup that ends with this error is charged: never. */
  readonly charged: boolean;
  readonly retryable: Retryable;
  readonly words: string;
}
/** The contract as the forms of the console need it. */
export interface ContractView {
  readonly version: string;
  readonly areas: readonly { readonly id: string; readonly title: string; readonly about: string }[];
  readonly operations: readonly OperationView[];
  /** Request headers that every lookup accepts. */
  readonly headers: readonly ParameterView[];
  readonly errors: readonly ErrorView[];
}
