import { ScimPathError, ScimSyntaxError, ScimTargetError, ScimValueError } from './scim.errors.ts'
import { type Equal, parseFilter, withoutUrn } from './scim-filter.ts'
import { attributeOf, type Draft, emailsOf, partOf, requireObject, type ScimEmail } from './scim-user.ts'

const MOST_OPERATIONS = 100
type Verb = 'add' | 'replace' | 'remove'

interface Path {
  attribute: string
  /** Condition on the elements of a list. */
  filter?: Equal[]
  part?: string
}

/**
 * Applies the operations of a PATCH (RFC 7644, 3.5.2), in the forms that Entra and Okta send: verbs in any case, one
 * attribute by its path, or several at once without one. What is not kept is passed over.
 * @throws ScimSyntaxError, ScimPathError, ScimTargetError, ScimValueError
 */
export function applyPatch(draft: Draft, body: unknown): void {
  const fields = Object.entries(requireObject(body, 'The body'))
  const operations = fields.find(([name]) => name.toLowerCase() === 'operations')?.[1]
  if (!Array.isArray(operations) || operations.length === 0)
    throw new ScimSyntaxError('Operations must be a list with one operation or more')
  if (operations.length > MOST_OPERATIONS)
    throw new ScimSyntaxError(`Operations must hold at most ${MOST_OPERATIONS} operations`)
  for (const operation of operations) {
    const { op, path, value } = requireObject(operation, 'An operation')
    const verb = String(op).toLowerCase()
    if (verb !== 'add' && verb !== 'replace' && verb !== 'remove')
      throw new ScimSyntaxError('op must be add, replace or remove')
    if (path !== undefined && path !== null) apply(draft, verb, parsePath(path), value)
    else if (verb === 'remove') throw new ScimTargetError('remove needs a path')
    else
      for (const [key, inner] of Object.entries(requireObject(value, 'The value of an operation without a path')))
        if (!key.toLowerCase().startsWith('urn:') || withoutUrn(key) !== key) apply(draft, verb, parsePath(key), inner)
  }
}

const PATH = /^([A-Za-z$][\w$-]*)(?:\[(.*)\])?(?:\.([A-Za-z$][\w$-]*))?$/

/** @throws ScimPathError, ScimFilterError */
function parsePath(given: unknown): Path {
  if (typeof given !== 'string') throw new ScimPathError('path must be a text')
  const path = withoutUrn(given.trim())
  // Attributes of extensions are not kept.
  if (/^urn:/i.test(path)) return { attribute: path }
  const [, attribute, filter, part] = PATH.exec(path) ?? []
  if (!attribute) throw new ScimPathError(`This path is not understood: ${path.slice(0, 100)}`)
  return { attribute, ...(filter !== undefined && { filter: parseFilter(filter) }), ...(part && { part }) }
}

function apply(draft: Draft, verb: Verb, { attribute, filter, part }: Path, value: unknown): void {
  const name = attributeOf(attribute)
  if (!name) return
  if (verb !== 'remove' && value === undefined) throw new ScimValueError(`${name} needs a value`)
  if (name === 'emails') {
    draft.emails = patchEmails(draft.emails ?? [], verb, { filter, part }, value)
    return
  }
  if (filter) throw new ScimPathError(`${name} is no list`)
  if (name === 'name') patchName(draft, verb, part, value)
  else if (part) throw new ScimPathError(`${name} has no parts`)
  else if (verb !== 'remove') draft[name] = unwrap(value)
  else if (name === 'active') throw new ScimValueError('active cannot be removed: replace it with true or false')
  else delete draft[name]
}

/** Parts that are not named stay (3.5.2.3). */
function patchName(draft: Draft, verb: Verb, part: string | undefined, value: unknown): void {
  const given = part === undefined ? (verb === 'remove' ? {} : requireObject(value, 'name')) : { [part]: unwrap(value) }
  const kept = { ...(part === undefined && verb === 'remove' ? {} : draft.name) }
  for (const [key, inner] of Object.entries(given)) {
    const known = partOf(key)
    if (known) kept[known] = verb === 'remove' ? null : inner
  }
  draft.name = kept
}

function patchEmails(all: ScimEmail[], verb: Verb, { filter, part }: Omit<Path, 'attribute'>, value: unknown) {
  if (!filter && !part) {
    if (verb === 'remove') return []
    const given = emailsOf(value)
    return verb === 'replace' ? given : joined(all, given)
  }
  const chosen = filter ? all.filter((one) => filter.every((equal) => holds(one, equal))) : all
  const others = all.filter((one) => !chosen.includes(one))
  const field = part?.toLowerCase() as keyof ScimEmail | undefined
  if (verb === 'remove')
    return field && field !== 'value' ? [...others, ...chosen.map((one) => ({ ...one, [field]: undefined }))] : others
  // Entra replaces elements of kinds that were never kept.
  const targets = chosen.length > 0 ? chosen : [Object.fromEntries((filter ?? []).map(toField))]
  const changes: ScimEmail = field ? { [field]: unwrap(value) } : (emailsOf(value)[0] ?? {})
  return joined(
    others,
    targets.map((one) => ({ ...one, ...changes })),
  )
}

/** A new primary one takes the place of the earlier. */
function joined(before: ScimEmail[], added: ScimEmail[]): ScimEmail[] {
  const hasPrimary = added.some(({ primary }) => String(primary).toLowerCase() === 'true')
  return [...before.map((one) => (hasPrimary ? { ...one, primary: false } : one)), ...added]
}

const toField = ({ attribute, value }: Equal): [string, unknown] => [attribute.toLowerCase(), value]

const holds = (one: ScimEmail, { attribute, value }: Equal): boolean =>
  String(one[attribute.toLowerCase() as keyof ScimEmail]).toLowerCase() === String(value).toLowerCase()

/** Value of an attribute that has one, which some clients send in a list, as an object or as both. */
function unwrap(value: unknown): unknown {
  const one = Array.isArray(value) && value.length === 1 ? value[0] : value
  return typeof one === 'object' && one !== null && 'value' in one ? one.value : one
}
