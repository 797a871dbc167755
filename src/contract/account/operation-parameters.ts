import { type Operation, operationList } from '../operations/index.ts';
import type { Parameter } from '../parameters/parameter.ts';

/** What the description says of a parameter. */
export type DescribedParameter = Pick<Parameter, 'name' | 'in' | 'required' | 'description' | 'example' | 'schema' | 'default'>;

interface Use {
  readonly operation: Operation;
  readonly parameter: Parameter;
}
const distinct = <T>(values: readonly T[]): readonly T[] => [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];

/** A schema for what one of these accepts. */
function schemaOfAny(schemas: readonly Parameter['schema'][]): Parameter['schema'] {
  const [first = {}, ...others] = distinct(schemas);
  if (others.length === 0) return first;
  const enums = [first, ...others].map((schema) => (schema as { readonly enum?: readonly string[] }).enum);
  if (enums.every((values) => values !== undefined)) return { type: 'string', enum: distinct(enums.flat()) };
  const { type } = first as { readonly type?: string };
  return { ...(type !== undefined && { type }), anyOf: [first, ...others] };
}

const wordsOf = (uses: readonly Use[]): string =>
  distinct(uses.map(({ parameter }) => parameter.description))
    .map((words) => {
      const ids = uses.filter(({ parameter }) => parameter.description === words).map(({ operation }) => `\`${operation.id}\``);
      return `${ids.join(', ')}: ${words}`;
    })
    .join(' ');

const uses = operationList.flatMap((operation) => operation.parameters.map((parameter): Use => ({ operation, parameter })));

/** The parameters of all operations as query parameters, one for each name: its schema accepts what one of the operations accepts. */
export const operationParameters: readonly DescribedParameter[] = distinct(uses.map(({ parameter }) => parameter.name)).map((name) => {
  const named = uses.filter(({ parameter }) => parameter.name === name);
  const example = named[0]?.parameter.example ?? '';
  const schema = schemaOfAny(named.map(({ parameter }) => parameter.schema));
  return { name, in: 'query', required: false, description: wordsOf(named), example, schema };
});
