/** The keywords of a JSON Schema that its readers follow. */
export interface Shape {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}
/** Of a value that may be null: its schema where it is not. */
export const shapeOf = (schema: Shape): Shape => schema.anyOf?.[0] ?? schema;

/** The fields of an object, or of the entries of a list. */
const membersOf = (schema: Shape): Shape['properties'] => {
  const shape = shapeOf(schema);
  return shape.items ? membersOf(shape.items) : shape.properties;
};
/** The schema at a dotted path, which leaves out list indexes. */
const schemaAt = (schema: Shape, path: string): Shape | undefined =>
  path === '' ? schema : path.split('.').reduce<Shape | undefined>((shape, name) => shape && membersOf(shape)?.[name], schema);

/** The paths of the values at and below a path: `registrar` → `registrar.name`, … A list of texts is one value. None: there is no such field. */
export function fieldsUnder(schema: Shape, path: string): readonly string[] {
  const shape = schemaAt(schema, path);
  if (!shape) return [];
  const members = membersOf(shape);
  if (!members) return [path];
  return Object.keys(members).flatMap((name) => fieldsUnder(schema, path === '' ? name : `${path}.${name}`));
}

/** Whether a field may be null or an empty list: an entry without another one is left out of its list. */
export function isNullable(schema: Shape, path: string): boolean {
  const shape = schemaAt(schema, path);
  return shape?.anyOf !== undefined || shape?.items !== undefined;
}

/** Whether a field is a number. */
export function isNumeric(schema: Shape, path: string): boolean {
  const shape = schemaAt(schema, path);
  return shape !== undefined && ['integer', 'number'].includes(shapeOf(shape).type ?? '');
}
