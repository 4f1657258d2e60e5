import type { Block } from '../../parsed-document.ts'

type Json = Record<string, unknown>

/** A part with at most this many values is written as lines of one paragraph. */
const SMALL = 40
const MAX_COLUMNS = 60
const MAX_PATH = 200
const ROWS_PER_BLOCK = 200

/**
 * A JSON value as blocks: objects as `path: value` lines, arrays of objects as tables under a heading with their path.
 * Works with a stack of its own, so that deep nesting costs no more than the same amount of flat data.
 */
export function* jsonBlocks(value: unknown): Generator<Block> {
  const stack: [unknown, string][] = [[value, '']]
  while (stack.length > 0) {
    const [part, path] = stack.pop()!
    if (isRecordList(part)) yield* listBlocks(part, path)
    else if (isSmall(part)) yield* lineBlocks(flatten(part, path), path)
    else if (Array.isArray(part)) {
      const scalars = part.filter(isScalar)
      if (scalars.length > 0) yield* lineBlocks([[path, scalars.map(scalarText).join(', ')]], path)
      for (let index = part.length - 1; index >= 0; index--) if (!isScalar(part[index])) stack.push([part[index], path])
    } else {
      const entries = Object.entries(part as Json)
      const scalars = entries.filter(([, entry]) => isScalar(entry))
      yield* lineBlocks(
        scalars.map(([key, entry]) => [join(path, key), scalarText(entry)]),
        path,
      )
      for (const [key, entry] of entries.reverse()) if (!isScalar(entry)) stack.push([entry, join(path, key)])
    }
  }
}

/** The values within, each with its path of keys; those in arrays share a path, and arrays of plain values are joined. */
export function flatten(value: unknown, path = ''): [string, string][] {
  const found: [string, string][] = []
  const stack: [unknown, string][] = [[value, path]]
  while (stack.length > 0) {
    const [part, at] = stack.pop()!
    if (isScalar(part)) found.push([at, scalarText(part)])
    else if (Array.isArray(part)) {
      if (part.every(isScalar)) found.push([at, part.map(scalarText).join(', ')])
      else for (let index = part.length - 1; index >= 0; index--) stack.push([part[index], at])
    } else for (const [key, entry] of Object.entries(part as Json).reverse()) stack.push([entry, join(at, key)])
  }
  return found.filter(([, text]) => text !== '')
}

function* lineBlocks(lines: [string, string][], path: string): Generator<Block> {
  const text = lines.map(([at, value]) => (at ? `${at}: ${value}` : value)).join('\n')
  if (!text.trim()) return
  yield { kind: 'heading', level: 1, text: path, location: {} }
  yield { kind: 'paragraph', text, location: {} }
}

function* listBlocks(list: Json[], path: string): Generator<Block> {
  yield { kind: 'heading', level: 1, text: path, location: {} }
  for (let start = 0; start < list.length; start += ROWS_PER_BLOCK) {
    const records = list.slice(start, start + ROWS_PER_BLOCK).map((record) => {
      const cells = new Map<string, string>()
      for (const [at, value] of flatten(record)) cells.set(at, cells.has(at) ? `${cells.get(at)}; ${value}` : value)
      return cells
    })
    const columns = [...new Set(records.flatMap((cells) => [...cells.keys()]))]
    // Records that each have keys of their own would leave a common header mostly empty.
    const wide = columns.length > MAX_COLUMNS
    const header = wide ? [] : columns
    const rows = records.map((cells) =>
      wide ? [...cells].map(([at, value]) => `${at}: ${value}`) : columns.map((at) => cells.get(at) ?? ''),
    )
    yield { kind: 'table', header, rows, location: { row_start: start + 1, row_end: start + records.length } }
  }
}

function isRecordList(value: unknown): value is Json[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((entry) => typeof entry === 'object' && entry !== null && !Array.isArray(entry) && isSmall(entry))
  )
}

/** Whether a part holds few values, and no list of records, which make a better table. Stops counting at the limit. */
function isSmall(value: unknown): boolean {
  const stack: unknown[] = [value]
  for (let seen = 0; stack.length > 0; ) {
    if (++seen > SMALL) return false
    const part = stack.pop()
    if (isScalar(part)) continue
    const entries = Array.isArray(part) ? part : Object.values(part as Json)
    if (entries.length > SMALL && !entries.every(isScalar)) return false
    if (Array.isArray(part) && part.length > 1 && part.every((entry) => !isScalar(entry) && !Array.isArray(entry)))
      return false
    if (Array.isArray(part) && part.every(isScalar)) continue
    stack.push(...entries)
    if (stack.length > SMALL) return false
  }
  return true
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

function scalarText(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}

/** The end of a long path: it names the value, and keys upon keys must not make a text of their own. */
function join(path: string, key: string): string {
  const whole = path ? `${path}.${key}` : key
  return whole.length > MAX_PATH ? `…${whole.slice(-MAX_PATH)}` : whole
}
