import type { FtsOptions } from '@lancedb/lancedb'
import type { Field, FixedSizeList, Float32, Schema, Table, Utf8, Vector } from 'apache-arrow'
import { TOKEN_MAX_BYTES } from '../../analysis/analysis.ts'
import { stopTerms } from '../../analysis/stop-words.ts'
import type { Passage, StoredPassage } from '../../engine.ts'
import type { Arrow } from '../lance-library.ts'

/** Part of every table's name: tables made by other rules than the ones in this file are never read. */
export const LAYOUT_VERSION = 1

export const TEXT_INDEX = 'body_text'

/** `analysis.ts` does the same in JavaScript: change both. */
export const textIndexOptions = (): Partial<FtsOptions> => ({
  // Splits Chinese and Japanese by dictionary, and identifiers at dots, dashes and underscores.
  baseTokenizer: 'icu/split',
  language: 'English',
  stem: true,
  removeStopWords: true,
  customStopWords: [...stopTerms()],
  lowercase: true,
  asciiFolding: true,
  maxTokenLength: TOKEN_MAX_BYTES,
  // Proximity is weighed on the candidates' text; positions would double the index.
  withPosition: false,
})

export const PASSAGE_COLUMNS = [
  'id',
  'document_id',
  'group_id',
  'ordinal',
  'heading_length',
  'body',
  'location',
] as const

/**
 * A value lies where its row says, instead of in a block of thousands that is decoded for each value: a search, which
 * reads 50 rows, is a quarter faster with it, for 2 % more disk. Tables from before it stay as they are.
 * https://docs.rs/lance-encoding/3.0.1/lance_encoding/constants/constant.STRUCTURAL_ENCODING_FULLZIP.html
 */
const READ_BY_ROW = new Map([['lance-encoding:structural-encoding', 'fullzip']])

export function tableSchema(arrow: Arrow, dimension: number | undefined): Schema {
  const { Field, Int32, Schema, Utf8 } = arrow
  const text = (name: string) => new Field(name, new Utf8(), false, READ_BY_ROW)
  const integer = (name: string) => new Field(name, new Int32(), false, READ_BY_ROW)
  const fields: Field[] = [
    text('id'),
    text('document_id'),
    text('group_id'),
    integer('ordinal'),
    integer('heading_length'),
    // Heading and text in one column: passages are found better so than with a column each.
    text('body'),
    text('location'),
  ]
  if (dimension) fields.push(new Field('vector', vectorType(arrow, dimension), false))
  return new Schema(fields)
}

function vectorType(arrow: Arrow, dimension: number): FixedSizeList<Float32> {
  return new arrow.FixedSizeList(dimension, new arrow.Field('item', new arrow.Float32(), true))
}

/** Rows as LanceDB takes them; the columns are laid out by hand because Arrow's builders take ten times as long. */
export function passagesToTable(arrow: Arrow, passages: Passage[], dimension: number | undefined): Table {
  const { makeVector, Table } = arrow
  const textVector = (values: string[]) => makeTextVector(arrow, values)
  const columns: Record<string, Vector> = {
    id: textVector(passages.map((passage) => passage.id)),
    document_id: textVector(passages.map((passage) => passage.documentId)),
    group_id: textVector(passages.map((passage) => passage.groupId)),
    ordinal: makeVector(Int32Array.from(passages, (passage) => passage.ordinal)),
    heading_length: makeVector(Int32Array.from(passages, (passage) => passage.heading.length)),
    body: textVector(passages.map(({ heading, text }) => `${heading}\n${text}`)),
    location: textVector(passages.map((passage) => passage.location)),
  }
  if (dimension) columns.vector = makeListVector(arrow, passages, dimension)
  return new Table(tableSchema(arrow, dimension), columns)
}

function makeTextVector({ makeData, makeVector, Utf8 }: Arrow, values: string[]): Vector<Utf8> {
  const valueOffsets = new Int32Array(values.length + 1)
  values.forEach((value, index) => {
    valueOffsets[index + 1] = (valueOffsets[index] as number) + Buffer.byteLength(value)
  })
  const data = Buffer.allocUnsafe(valueOffsets[values.length] as number)
  values.forEach((value, index) => {
    data.write(value, valueOffsets[index] as number)
  })
  return makeVector(makeData({ type: new Utf8(), length: values.length, nullCount: 0, valueOffsets, data }))
}

function makeListVector(arrow: Arrow, passages: Passage[], dimension: number): Vector<FixedSizeList<Float32>> {
  const { Float32, makeData, makeVector } = arrow
  const data = new Float32Array(passages.length * dimension)
  passages.forEach((passage, index) => {
    data.set(passage.vector as Float32Array, index * dimension)
  })
  const child = makeData({ type: new Float32(), length: data.length, nullCount: 0, data })
  return makeVector(makeData({ type: vectorType(arrow, dimension), length: passages.length, nullCount: 0, child }))
}

/** One row of a result, read when asked for: most candidates are only looked at, not handed out. */
export interface Row {
  number(column: string): number
  text(column: string): string
}

export function rowsOf(table: Table): Row[] {
  return Array.from({ length: table.numRows }, (_, index) => ({
    number: (column) => table.getChild(column)?.get(index) as number,
    text: (column) => table.getChild(column)?.get(index) as string,
  }))
}

export function rowToPassage(row: Row): StoredPassage {
  const body = row.text('body')
  const headingLength = row.number('heading_length')
  return {
    id: row.text('id'),
    documentId: row.text('document_id'),
    groupId: row.text('group_id'),
    ordinal: row.number('ordinal'),
    heading: body.slice(0, headingLength),
    text: body.slice(headingLength + 1),
    location: row.text('location'),
  }
}
