import { isStorable } from '../../platform/http/bodies/json-body.ts'
import { Email, PersonName } from '../accounts.schemas.ts'
import { ScimSyntaxError, ScimValueError } from './scim.errors.ts'
import { withoutUrn } from './scim-filter.ts'

const LONGEST = 256

/** Parts of a name that are kept. */
export const NAME_PARTS = ['formatted', 'familyName', 'givenName'] as const
export type ScimNames = Partial<Record<(typeof NAME_PARTS)[number], string>>

/** A person as a directory describes them; `active` is undefined where it says nothing of it. */
export interface ScimFields {
  userName: string
  /** Lower-cased. */
  email: string
  externalId: string | null
  displayName: string | null
  names: ScimNames
  active: boolean | undefined
}

export type ScimEmail = { value?: unknown; type?: unknown; primary?: unknown }

/** Attributes that are kept, by their names in the protocol; what else a directory sends is passed over. */
export interface Draft {
  userName?: unknown
  externalId?: unknown
  displayName?: unknown
  active?: unknown
  name?: Record<string, unknown>
  emails?: ScimEmail[]
}

const KNOWN = new Map(
  ['userName', 'externalId', 'displayName', 'active', 'name', 'emails'].map((name) => [name.toLowerCase(), name]),
)

/** Name of an attribute as the schema writes it: clients may write it in any case. Undefined for one that is not kept. */
export const attributeOf = (name: string) => KNOWN.get(withoutUrn(name).toLowerCase()) as keyof Draft | undefined

export const partOf = (name: string): keyof ScimNames | undefined =>
  NAME_PARTS.find((part) => part.toLowerCase() === name.toLowerCase())

export function requireObject(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ScimSyntaxError(`${what} must be a JSON object`)
  return value as Record<string, unknown>
}

/** Reads the body of a POST or a PUT. @throws ScimSyntaxError */
export function toDraft(body: unknown): Draft {
  const draft: Draft = {}
  for (const [key, value] of Object.entries(requireObject(body, 'The body'))) {
    const name = attributeOf(key)
    if (!name || value === null || value === undefined) continue
    if (name === 'name') draft.name = requireObject(value, 'name')
    else if (name === 'emails') draft.emails = emailsOf(value)
    else draft[name] = value
  }
  return draft
}

/** Elements of `emails`; some clients send one alone, or only its text. @throws ScimSyntaxError */
export const emailsOf = (value: unknown): ScimEmail[] =>
  [value].flat().map((one) => {
    if (typeof one === 'string') return { value: one }
    const fields = Object.entries(requireObject(one, 'An element of emails'))
    return Object.fromEntries(fields.map(([name, field]) => [name.toLowerCase(), field]))
  })

/** @throws ScimValueError that names the attribute */
export function readDraft(draft: Draft): ScimFields {
  const userName = readText('userName', draft.userName)
  if (!userName) throw new ScimValueError('userName is missing')
  const names: ScimNames = {}
  for (const [key, value] of Object.entries(draft.name ?? {})) {
    const part = partOf(key)
    const text = part && readText(`name.${part}`, value)
    if (text) names[part!] = text
  }
  return {
    userName,
    email: readEmail(draft.emails ?? [], userName),
    externalId: readText('externalId', draft.externalId),
    displayName: readText('displayName', draft.displayName),
    names,
    active: draft.active === undefined ? undefined : readBoolean('active', draft.active),
  }
}

/** Null for nothing. */
function readText(name: string, given: unknown): string | null {
  if (given === undefined || given === null) return null
  const text = typeof given === 'number' ? String(given) : given
  if (typeof text !== 'string' || !isStorable(text)) throw new ScimValueError(`${name} must be a text`)
  const trimmed = text.trim()
  if (trimmed.length > LONGEST) throw new ScimValueError(`${name} must have at most ${LONGEST} characters`)
  if (/[\u0000-\u001f\u007f-\u009f]/.test(trimmed)) throw new ScimValueError(`${name} must not hold control characters`)
  return trimmed || null
}

/** Entra sends the words `True` and `False`. */
export function readBoolean(name: string, given: unknown): boolean {
  const text = String(given).toLowerCase()
  if (text !== 'true' && text !== 'false') throw new ScimValueError(`${name} must be true or false`)
  return text === 'true'
}

/** The primary e-mail, else that of work, else the first; without any, the user name has to be one. */
function readEmail(emails: ScimEmail[], userName: string): string {
  const all = emails.filter(({ value }) => value !== undefined && value !== null && value !== '')
  const chosen =
    all.find(({ primary }) => String(primary).toLowerCase() === 'true') ??
    all.find(({ type }) => String(type).toLowerCase() === 'work') ??
    all[0]
  const { data } = Email.safeParse(chosen?.value ?? userName)
  if (data && isStorable(data)) return data
  throw new ScimValueError(
    chosen ? 'emails must hold a valid e-mail' : 'emails is missing, and userName is no e-mail: one of them has to be',
  )
}

/** Name that the account of the person gets. */
export function personNameOf({ displayName, names, email }: Pick<ScimFields, 'displayName' | 'names' | 'email'>) {
  const { formatted, givenName, familyName } = names
  const name = displayName ?? formatted ?? [givenName, familyName].filter(Boolean).join(' ')
  return PersonName.safeParse(name).data ?? email.split('@')[0]!
}
