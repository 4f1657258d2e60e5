import { ScimFilterError } from './scim.errors.ts'

/** A comparison of an attribute with a value for equality: the only one that there is. */
export interface Equal {
  /** Attribute as the client wrote it, without the URN of the schema. */
  attribute: string
  value: string | boolean | number | null
}

const LONGEST = 1_000
/** Attribute (with a filter of its values, and a part), operator, value. */
const TERM = /\s*([A-Za-z][\w.:$-]*(?:\[[^\]]*\])?(?:\.[\w$-]+)?)\s+([A-Za-z]+)\s+("(?:[^"\\]|\\.)*"|[^\s()[\]"]+)\s*/y
const AND = /and\s/iy

/** Reads `a eq "x" and b eq true`. @throws ScimFilterError for anything else */
export function parseFilter(text: string): Equal[] {
  if (text.length > LONGEST) throw new ScimFilterError(`A filter has at most ${LONGEST} characters`)
  const found: Equal[] = []
  for (let at = 0; at < text.length || found.length === 0; at = AND.lastIndex) {
    TERM.lastIndex = at
    const [, attribute, operator, value] = TERM.exec(text) ?? []
    if (operator?.toLowerCase() !== 'eq') throw notUnderstood()
    found.push({ attribute: withoutUrn(attribute!), value: read(value!) })
    AND.lastIndex = TERM.lastIndex
    if (TERM.lastIndex === text.length) return found
    if (!AND.test(text)) throw notUnderstood()
  }
  throw notUnderstood()
}

/** Name of a core attribute without the URN of the schema, which clients may write before it. */
export const withoutUrn = (name: string): string => name.replace(/^urn:ietf:params:scim:schemas:core:2\.0:User:/i, '')

function read(text: string): Equal['value'] {
  try {
    const value = JSON.parse(/^(true|false|null)$/i.test(text) ? text.toLowerCase() : text)
    if (typeof value !== 'object' || value === null) return value
  } catch {
    // Said below.
  }
  throw notUnderstood()
}

const notUnderstood = () =>
  new ScimFilterError('Filters are of the form: userName eq "x", several of them joined by and')
