// Rules by which the seed gives rows their ids and owners; the requests name rows by the same rules.

const EPOCH = Date.UTC(2026, 0, 1)
const SECOND = 1000

const KINDS = [
  'agent',
  'chat',
  'message',
  'person',
  'folder',
  'file',
  'key',
  'delivery',
  'job',
  'shortcut',
  'integration',
  'organization',
  'quota',
] as const

/** The id of a row: as the server makes them, later ones sort behind earlier ones. */
export function idOf(kind: (typeof KINDS)[number], index: number): string {
  const second = Math.floor(EPOCH / SECOND) + index
  return second.toString(16).padStart(8, '0') + KINDS.indexOf(kind).toString(16).padStart(10, '0') + '0'.repeat(6)
}

/** Creation time of a file: one second after the file before it. */
export const timeOf = (index: number): string => new Date(EPOCH + index * SECOND).toISOString()

export interface Plan {
  chats: number
  messages: number
}

export const AGENTS = 5
export const PEOPLE = 1_000
export const FOLDERS = 2_000
export const FILES = 20_000
export const KEYS = 1_000
export const DELIVERIES = 50_000
export const JOBS = 200
export const SHORTCUTS = 200
export const INTEGRATIONS = 100
export const QUOTAS = 200
/** Organizations that share something with ours, and that we share with. */
export const OTHERS = 100

/** Seven of ten chats are with the first agent. */
export const agentOf = (chat: number): number => (chat % 10 < 7 ? 0 : 1 + (chat % (AGENTS - 1)))

export const CHAT_TYPES = ['standard', 'interact', 'playground', 'configuration'] as const
export const chatTypeOf = (chat: number) =>
  CHAT_TYPES[Math.floor(chat / 10) % 8 < 5 ? 0 : (Math.floor(chat / 10) % 8) - 4]!

/** One message of 50 is in chat 0; the others lie all over the chats, so that a chat's lie all over the table. */
export const chatOf = (message: number, chats: number): number => (message % 50 === 0 ? 0 : scatter(message, chats))

/** One message of 50 is of person 0, half of the others of somebody. */
export function personOf(message: number): number | undefined {
  if (message % 50 === 1) return 0
  return message % 2 === 0 ? undefined : 1 + scatter(message + 7, PEOPLE - 1)
}

/** Number of the key that asked: one of three. */
export const keyOf = (message: number): number => 1 + (message % 3)

const DAY = 86_400_000

/** Day of a message's usage, as if they had come in the course of the year. */
export const usedOn = (message: number): string =>
  new Date(EPOCH + scatter(message + 13, 365) * DAY).toISOString().slice(0, 10)

/** Nine of ten folders in one tree, five in each; the others at the root beside it. */
export const parentOf = (folder: number): number | undefined =>
  folder === 0 || folder > FOLDERS * 0.9 ? undefined : Math.floor((folder - 1) / 5)

/** A quarter of the files in one folder, the others all over. */
export const folderOf = (file: number): number => (file % 4 === 0 ? 0 : scatter(file, FOLDERS))

export const statusOf = (delivery: number) => (delivery % 20 === 0 ? 'failed' : 'delivered')

/** A number below `below`, the same for the same index, without a pattern. */
export function scatter(index: number, below: number): number {
  const mixed = Math.imul(index ^ (index >>> 15), 0x2c1b3c6d)
  return ((mixed ^ (mixed >>> 12)) >>> 0) % below
}

/** How many of the first `count` numbers are so. */
export function countOf(count: number, isSo: (index: number) => boolean): number {
  let found = 0
  for (let index = 0; index < count; index++) if (isSo(index)) found++
  return found
}
