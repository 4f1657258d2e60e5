import { createHash } from 'node:crypto'
import { foldCase } from '../../platform/text/text.ts'

/** People who may read a file, of those who may read its folder. Empty lists: nobody but owners and admins. */
export interface Readers {
  /** Addresses of members and virtual users. Those whom nobody has count from when somebody has them. */
  emails: string[]
  /** Names of groups of members. */
  groups: string[]
  /** Domains whose e-mail addresses may all read. */
  domains: string[]
}

/** Somebody, or several people, whom a list can name: an address, a domain or a group, in the form that is compared. */
export type ReaderSubject = string

/** Stands for everybody in what is noted of changes. */
export const EVERYBODY: ReaderSubject = ''

const subjectsOfEmail = (email: string): ReaderSubject[] => {
  const address = email.toLowerCase()
  return [`email ${address}`, `domain ${address.slice(address.lastIndexOf('@') + 1)}`]
}

const subjectOfGroup = (name: string): ReaderSubject => `group ${foldCase(name)}`

/** Subjects by which lists name somebody. */
export const subjectsOfPerson = (emails: readonly string[], groupNames: readonly string[]): ReaderSubject[] => [
  ...emails.flatMap(subjectsOfEmail),
  ...groupNames.map(subjectOfGroup),
]

/** Subjects that a list names, each once, in one order. */
export const subjectsOf = ({ emails, groups, domains }: Readers): ReaderSubject[] =>
  [
    ...new Set([
      ...emails.map((email) => `email ${email.toLowerCase()}`),
      ...domains.map((domain) => `domain ${domain.toLowerCase()}`),
      ...groups.map(subjectOfGroup),
    ]),
  ].sort()

const ids = new WeakMap<Readers, string>()

/** Id of the list with these readers: equal ones are one list. Long lists of sources are asked for with every file. */
export function listIdOf(readers: Readers): string {
  const known = ids.get(readers)
  if (known !== undefined) return known
  const id = createHash('sha256').update(subjectsOf(readers).join('\n')).digest('hex').slice(0, 32)
  ids.set(readers, id)
  return id
}
