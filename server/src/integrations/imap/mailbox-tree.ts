import type { ListResponse } from 'imapflow'
import { isUsableName } from '../file-filter.ts'
import { SourceUnavailableError } from '../source.ts'

/** Purposes of mail folders that hold what nobody wrote to be found, or everything a second time. */
const LEFT_OUT = new Set(['\\Trash', '\\Junk', '\\Drafts', '\\All', '\\Flagged'])

/** A folder of the mail server; `mailbox` is its path there if it holds messages. */
interface MailFolder {
  mailbox?: string
  folders: Map<string, MailFolder>
}

/** Mail folders as a tree, those only that are wanted. */
export interface MailboxTree {
  find(path: readonly string[]): MailFolder | undefined
  /** Folders with messages. */
  mailboxes(): { path: string[]; mailbox: string }[]
}

/**
 * @param wanted paths with slashes, each with all below it; empty for all but trash, junk, drafts and views of others
 * @throws SourceUnavailableError for one that is not there
 */
export function toMailboxTree(
  listed: readonly ListResponse[],
  wanted: readonly string[],
  takesFolder: (path: readonly string[]) => boolean,
): MailboxTree {
  const root: MailFolder = { folders: new Map() }
  const all = listed.map((one) => ({ ...one, names: [...one.parent, one.name] }))
  const missing = wanted.find((name) => !all.some(({ names }) => isWithin(namesOf(name), names)))
  if (missing !== undefined)
    throw new SourceUnavailableError('mailboxes', `the mail server has no folder ${missing.slice(0, 200)}`)
  const leftOut = all.filter(({ specialUse }) => specialUse && LEFT_OUT.has(specialUse)).map(({ names }) => names)
  const isWanted = (names: string[]) =>
    wanted.length > 0
      ? wanted.some((name) => isWithin(namesOf(name), names))
      : !leftOut.some((above) => isWithin(above, names))

  for (const { names, flags, path } of all) {
    if (flags.has('\\Noselect') || !isWanted(names)) continue
    if (!names.every((_, index) => takesFolder(names.slice(0, index + 1)))) continue
    let at = root
    for (const name of names) {
      const next = at.folders.get(name) ?? { folders: new Map() }
      at.folders.set(name, next)
      at = next
    }
    at.mailbox = path
  }

  function find(path: readonly string[]): MailFolder | undefined {
    let at: MailFolder | undefined = root
    for (const name of path) at = at?.folders.get(name)
    return at
  }

  function* below(folder: MailFolder, path: string[]): Generator<{ path: string[]; mailbox: string }> {
    if (folder.mailbox !== undefined) yield { path, mailbox: folder.mailbox }
    for (const [name, next] of folder.folders) if (isUsableName(name)) yield* below(next, [...path, name])
  }

  return { find, mailboxes: () => [...below(root, [])] }
}

const namesOf = (path: string): string[] => path.split('/').filter(Boolean)

/** Whether a mail folder is another one, or lies below it. Only INBOX may be written in any case. */
const isWithin = (above: readonly string[], names: readonly string[]): boolean =>
  above.every(
    (name, index) =>
      name === names[index] || (index === 0 && name.toUpperCase() === 'INBOX' && names[0]?.toUpperCase() === 'INBOX'),
  )
