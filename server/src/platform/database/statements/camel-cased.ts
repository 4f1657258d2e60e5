/** Name of a column as a field of a record is called: `created_at` is `createdAt`. */
type CamelCase<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<CamelCase<Rest>>}` : Name

/** Record of a row: the same values under the names of fields. */
export type CamelCased<Row> = { [Column in keyof Row as CamelCase<Column>]: Row[Column] }

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name

/** Row of a record, or of a part of one. */
export type SnakeCased<Fields> = { [Field in keyof Fields as SnakeCase<Field & string>]: Fields[Field] }

/** The record of a row. */
export const camelCased = <Row extends object>(row: Row): CamelCased<Row> =>
  renamed(row, (column) => column.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()))

/** The row of a record; fields that are undefined stay so. */
export const snakeCased = <Fields extends object>(record: Fields): SnakeCased<Fields> =>
  renamed(record, (field) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))

const renamed = <Renamed>(from: object, rename: (name: string) => string): Renamed =>
  Object.fromEntries(Object.entries(from).map(([name, value]) => [rename(name), value])) as Renamed
