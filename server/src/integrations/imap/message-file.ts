import { createHash } from 'node:crypto'
import type { FetchMessageObject, MessageAddressObject } from 'imapflow'
import type { FileMetadata } from '../../drive/drive.ts'
import type { SourceFile } from '../source.ts'

const LONGEST_TITLE = 200
const LONGEST_FACT = 500
const MOST_ADDRESSES = 20

export const keyOf = (uidValidity: string, uid: number): string => `${uidValidity}-${uid}.eml`

/** Id of a message by the key of its file; undefined for one of another time of its mailbox. */
export function uidOf(key: string, uidValidity: string): number | undefined {
  const [, validity, uid] = /^(\d+)-(\d+)\.eml$/.exec(key) ?? []
  return validity === uidValidity ? Number(uid) : undefined
}

/** A message as a file. Its content never changes; its version is the same wherever the message is moved or copied to. */
export function toFile(
  uidValidity: string,
  { uid, size = 0, envelope = {}, internalDate }: FetchMessageObject,
): SourceFile {
  const { from, to, subject, messageId, date } = envelope
  const identity = [messageId, toIso(date), from?.map(({ address }) => address), subject, size]
  // Without an id of its own a message is told from others by when it came, too.
  if (!messageId) identity.push(toIso(internalDate))
  const title = readable(subject).slice(0, LONGEST_TITLE).trim() || 'No subject'
  return {
    kind: 'file',
    name: keyOf(uidValidity, uid),
    version: createHash('sha256').update(JSON.stringify(identity)).digest('base64url').slice(0, 32),
    sizeBytes: size,
    fileName: `${title}.eml`,
    title,
    metadata: factsOf({ from, to, messageId, sent: toIso(date) ?? toIso(internalDate) }),
  }
}

function factsOf({
  from,
  to,
  messageId,
  sent,
}: {
  from: MessageAddressObject[] | undefined
  to: MessageAddressObject[] | undefined
  messageId: string | undefined
  sent: string | undefined
}): FileMetadata {
  const [author] = addressesOf(from)
  const recipients = addressesOf(to)
  return {
    ...(author && { from: author }),
    ...(recipients.length > 0 && { to: recipients }),
    ...(sent && { sent_at: sent }),
    ...(messageId && readable(messageId).length <= LONGEST_FACT && { message_id: readable(messageId) }),
  }
}

const addressesOf = (addresses: MessageAddressObject[] = []): string[] =>
  addresses
    .map(({ address }) => readable(address).toLowerCase())
    .filter((address) => address !== '' && address.length <= LONGEST_FACT)
    .slice(0, MOST_ADDRESSES)

const readable = (text: string | undefined): string =>
  (text ?? '')
    .toWellFormed()
    .replace(/[\s\u0000-\u001f\u007f]+/g, ' ')
    .trim()

function toIso(date: Date | string | undefined): string | undefined {
  const at = new Date(date ?? Number.NaN)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString().replace(/\.\d+Z$/, 'Z')
}
