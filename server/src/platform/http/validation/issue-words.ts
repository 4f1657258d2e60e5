import { z } from 'zod'
import { nearestName } from '../../text/nearest-name.ts'
import { nearestIssue } from './issue-places.ts'

type Issue = Parameters<z.core.$ZodErrorMap>[0]
type Expected = z.core.$ZodIssueInvalidType['expected']

const KINDS: Partial<Record<Expected, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const FORMATS: Record<string, string> = {
  email: 'an e-mail address',
  url: 'a URL',
  datetime: 'a time such as 2026-01-31T12:00:00Z',
  date: 'a day such as 2026-01-31',
  uuid: 'a UUID',
  base64: 'base64',
  json_string: 'JSON',
}

const UNITS: Record<string, string> = { string: 'character', array: 'item', set: 'item', map: 'entry', file: 'byte' }

/**
 * Problem of a value, as the end of a sentence that begins with its field: `must not be empty`. A schema's own message
 * goes before it.
 */
export function sayIssue(issue: Issue): string {
  const isMissing = issue.input === undefined
  switch (issue.code) {
    case 'invalid_type':
      return isMissing ? 'is required' : `must be ${kind(issue.expected)}, not ${given(issue.input)}`
    case 'invalid_value':
      return isMissing ? `is required: ${choice(issue.values)}` : `must be ${choice(issue.values)}`
    case 'too_small':
      return atLeast(issue)
    case 'too_big':
      return atMost(issue)
    case 'invalid_format':
      return format(issue)
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return unknownFields(issue)
    case 'invalid_key':
      return `has a name that cannot be one: it ${issue.issues[0]?.message ?? 'is not valid'}`
    case 'invalid_union':
      return isMissing ? 'is required' : noBranch(issue)
    default:
      return 'is not valid'
  }
}

/** Sets these messages for every schema of this process that has none of its own. */
export function useOwnIssueMessages(): void {
  z.config({ localeError: sayIssue })
}

const kind = (expected: Expected): string => KINDS[expected] ?? `of the type ${expected}`
const quoted = (value: unknown): string => (typeof value === 'string' ? JSON.stringify(value) : String(value))
const choice = (values: readonly unknown[]): string =>
  values.length === 1 ? quoted(values[0]) : `one of ${values.map(quoted).join(', ')}`

/** The given value without its content: it may be long, or nobody's business. */
function given(input: unknown): string {
  if (input === null) return 'null'
  if (Array.isArray(input)) return 'a list'
  if (typeof input === 'number') return Number.isInteger(input) ? 'a number' : String(input)
  return typeof input === 'object' ? 'an object' : `a ${typeof input}`
}

function counted(origin: string, count: number | bigint): string {
  const unit = UNITS[origin]
  if (!unit) return String(count)
  const units = unit === 'entry' ? 'entries' : `${unit}s`
  return `${count} ${Number(count) === 1 ? unit : units}`
}

function atLeast({ origin, minimum, inclusive, exact }: Issue & { code: 'too_small' }): string {
  const hasLength = origin in UNITS
  if (hasLength && minimum === 1 && !exact) return 'must not be empty'
  const bound = exact ? 'exactly' : inclusive ? 'at least' : 'more than'
  return `must ${hasLength ? 'have' : 'be'} ${bound} ${counted(origin, minimum)}`
}

function atMost({ origin, maximum, inclusive, exact }: Issue & { code: 'too_big' }): string {
  const bound = exact ? 'exactly' : inclusive ? 'at most' : 'less than'
  return `must ${origin in UNITS ? 'have' : 'be'} ${bound} ${counted(origin, maximum)}`
}

function format(issue: Issue & { code: 'invalid_format' }): string {
  switch (issue.format) {
    case 'regex':
      return `must match ${issue.pattern}`
    case 'starts_with':
      return `must start with ${quoted(issue.prefix)}`
    case 'ends_with':
      return `must end with ${quoted(issue.suffix)}`
    case 'includes':
      return `must contain ${quoted(issue.includes)}`
    default:
      return `must be ${FORMATS[issue.format] ?? `of the form ${issue.format}`}`
  }
}

/** Limit on listed problems: with more, a caller needs the documentation. */
const MOST_LISTED = 20

function unknownFields({ keys, inst }: Issue & { code: 'unrecognized_keys' }): string {
  const { shape } = (inst as z.ZodObject)._zod.def
  const known = Object.keys(shape)
  const words = keys.slice(0, MOST_LISTED).map((key) => {
    const near = nearestName(key, known)
    return `${JSON.stringify(key.slice(0, 100))}${near ? ` (did you mean ${near}?)` : ''}`
  })
  const hint = keys.some((key) => nearestName(key, known) === undefined)
  return [
    `has ${keys.length === 1 ? 'an unknown field' : 'unknown fields'}: ${words.join(', ')}`,
    ...(hint && known.length <= MOST_LISTED ? [`the fields are ${known.join(', ')}`] : []),
  ].join('; ')
}

/** A value that is none of several things: what is wrong with the one that it comes nearest to. */
function noBranch({ errors, input, ...issue }: Issue & { code: 'invalid_union' }): string {
  const { options } = issue as { options?: readonly unknown[] }
  if (options?.length) return `must be ${choice(options)}`
  const near = nearestIssue(errors)
  if (near) return near.path.length > 0 ? `${near.path.join('.')} ${near.message}` : near.message
  const kinds = errors.flat().flatMap((one) => (one.code === 'invalid_type' ? [kind(one.expected)] : []))
  return kinds.length > 0 ? `must be ${[...new Set(kinds)].join(' or ')}, not ${given(input)}` : 'is not valid'
}
