import type { ContractView, OperationView, ParameterView } from '../../contract/contract-view.ts';
import { codeOf, ERRORS, type ErrorName } from '../../contract/errors.ts';
import { REQUEST_HEADERS } from '../../contract/openapi/request-headers.ts';
import { areaList, type Operation, operationList } from '../../contract/operations/index.ts';
import type { Parameter } from '../../contract/parameters/parameter.ts';
import { type Prices, priceInWords } from '../../contract/prices.ts';
import { tableForm } from '../../contract/tables.ts';

/** The keywords of a JSON Schema that a form field shows. */
function fieldSchema(schema: object): ParameterView['schema'] {
  const { type, enum: values, minimum, maximum } = schema as Partial<ParameterView['schema']>;
  return {
    type: type ?? 'string',
    ...(values && { enum: values }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
}

const parameterView = (p: Parameter): ParameterView => ({
  name: p.name,
  in: p.in,
  required: p.required,
  description: p.description,
  example: p.example,
  default: typeof p.default === 'string' || typeof p.default === 'number' ? p.default : null,
  schema: fieldSchema(p.schema),
});

const operationView = (operation: Operation, prices: Prices): OperationView => ({
  id: operation.id,
  area: operation.area.id,
  path: operation.path,
  summary: operation.summary,
  parameters: operation.parameters.map(parameterView),
  price: priceInWords(prices, operation),
  resourceName: operation.resourceName,
  tables: { entries: tableForm(operation, 'entries'), paid: tableForm(operation, 'paid') },
});

/** The answer of `GET /console/api/contract`. Pure: equal prices give equal answers. */
export const contractView = (prices: Prices = {}): ContractView => ({
  version: '1.0.0',
  areas: areaList.map(({ id, scope, about }) => ({ id, title: scope, about })),
  operations: operationList.map((operation) => operationView(operation, prices)),
  headers: Object.values(REQUEST_HEADERS).map(({ name, description, example, schema }) => ({
    name,
    in: 'header',
    required: false,
    description,
    example,
    default: null,
    schema: fieldSchema(schema),
  })),
  errors: (Object.keys(ERRORS) as ErrorName[]).map((name) => ({
    code: codeOf(name),
    status: ERRORS[name].status,
    charged: false,
    retryable: ERRORS[name].retryable,
    words: ERRORS[name].words,
  })),
});
