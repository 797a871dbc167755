import type { TSchema } from 'typebox';

interface Shape {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly anyOf?: readonly TSchema[];
  readonly items?: TSchema;
}
export function shapeOf(schema: TSchema): Shape & { readonly type?: string } {
  const shape = schema as Shape & { readonly type?: string };
  const inner = shape.anyOf?.find((one) => (one as { readonly type?: string }).type !== 'null');
  return inner ? shapeOf(inner) : shape;
}
/** The fields of an object, or of the entries of a list. */
const membersOf = (schema: TSchema): Readonly<Record<string, TSchema>> | undefined => {
  const shape = shapeOf(schema);
  return shape.items ? membersOf(shape.items) : shape.properties;
};
/** The schema at a dotted path, which leaves out list indexes. */
const schemaAt = (schema: TSchema, path: string): TSchema | undefined =>
  path === '' ? schema : path.split('.').reduce<TSchema | undefined>((at, name) => at && membersOf(at)?.[name], schema);

/** The paths of the values at and below a path: `registrar` → `registrar.name`, … A list of texts is one value. None: there is no such field. */
export function fieldsUnder(schema: TSchema, path: string): readonly string[] {
  const at = schemaAt(schema, path);
  if (!at) return [];
  const members = membersOf(at);
  if (!members) return [path];
  return Object.keys(members).flatMap((name) => fieldsUnder(schema, path === '' ? name : `${path}.${name}`));
}

/** Whether a field may be null or an empty list: an entry without another one is left out of its list. */
export function isNullable(schema: TSchema, path: string): boolean {
  const at = schemaAt(schema, path) as Shape | undefined;
  return at?.anyOf !== undefined || at?.items !== undefined;
}
