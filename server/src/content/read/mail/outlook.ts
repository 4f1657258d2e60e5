import { readFile } from 'node:fs/promises'
import type { FieldsData } from '@kenjiuno/msgreader'
import type { ExtractContext, Extractor } from '../extraction.ts'
import { parseBytes } from '../office/office.ts'
import { parseFailures } from '../parse.errors.ts'
import type { Block } from '../parsed-document.ts'
import { textBlocks } from '../text/text.ts'
import { readLines } from '../text/text-lines.ts'
import {
  type AttachedFile,
  type ExtractAttachment,
  type Message,
  messageBlocks,
  withoutLines,
} from './message-blocks.ts'

const UTF8 = 65_001
/** Code pages that texts of messages from before Unicode are in. */
const CODE_PAGES = new Set([874, 932, 936, 949, 950, 1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258])

/** A message as Outlook saves it (MSG), like an e-mail. */
export const extractOutlook =
  (extractAttachment: ExtractAttachment): Extractor =>
  async (file, context) => {
    if (file.sizeBytes > context.limits.officeBytes)
      throw parseFailures.tooLarge('an e-mail', context.limits.officeBytes)
    const { fields, read } = await openMessage(await readFile(file.path))
    const title = fields.subject?.replace(/\s+/g, ' ').trim()
    const blocks = messageBlocks(toMessage(fields, read, context), context, extractAttachment, '.msg')
    return { format: 'msg', title: title || undefined, blocks }
  }

type ReadAttachment = (attachment: FieldsData) => Uint8Array

async function openMessage(bytes: Buffer): Promise<{ fields: FieldsData; read: ReadAttachment }> {
  const { default: library } = await import('@kenjiuno/msgreader')
  const open = (ansiEncoding?: string) => {
    const reader = new library.default(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    if (ansiEncoding) reader.parserConfig = { ansiEncoding }
    const fields = reader.getFileData()
    const { subject, body, bodyHtml, html, compressedRtf, senderName, attachments } = fields
    const hasContent = subject ?? body ?? bodyHtml ?? html ?? compressedRtf ?? senderName ?? attachments?.[0]
    if (fields.dataType !== 'msg' || fields.error || hasContent === undefined) throw new Error('no message')
    return { fields, read: (attachment: FieldsData) => reader.getAttachment(attachment).content }
  }
  try {
    const opened = open()
    const codePage = opened.fields.messageCodepage ?? opened.fields.internetCodepage ?? UTF8
    return CODE_PAGES.has(codePage) ? open(`cp${codePage}`) : opened
  } catch {
    throw parseFailures.damaged('MSG')
  }
}

const toMessage = (fields: FieldsData, read: ReadAttachment, context: ExtractContext): Message => ({
  from: person({
    ...fields,
    name: fields.senderName,
    smtpAddress: fields.senderSmtpAddress,
    email: fields.senderEmail,
  }),
  to: people(fields, 'to'),
  cc: people(fields, 'cc'),
  date: isoOf(fields.messageDeliveryTime ?? fields.clientSubmitTime),
  subject: fields.subject,
  body: () => textOf(fields, context),
  files: (fields.attachments ?? []).filter(isDocument).map((attachment) => toFile(attachment, read)),
})

const toFile = (attachment: FieldsData, read: ReadAttachment): AttachedFile => {
  const { innerMsgContent: isMessage = false } = attachment
  const name = attachment.fileName ?? attachment.fileNameShort ?? attachment.name
  return {
    name: name && isMessage && !/\.msg$/i.test(name) ? `${name}.msg` : name,
    isMessage,
    read() {
      try {
        return read(attachment)
      } catch {
        throw parseFailures.damaged('MSG')
      }
    },
  }
}

/** Pictures that the text shows are decoration; other parts it refers to are read. */
const isDocument = ({ attachmentHidden, pidContentId, fileName = '', attachMimeTag = '' }: FieldsData): boolean =>
  !(
    (attachmentHidden || pidContentId) &&
    (/^image\//.test(attachMimeTag) || /\.(?:png|jpe?g|gif|bmp|webp)$/i.test(fileName))
  )

async function* textOf(fields: FieldsData, context: ExtractContext): AsyncGenerator<Block> {
  const { body, bodyHtml, html, internetCodepage, compressedRtf } = fields
  if (body?.trim()) return yield* withoutLines(textBlocks(readLines([body])))
  const page = bodyHtml ?? (html && decode(html, internetCodepage))
  if (page?.trim()) {
    if (page.length > context.limits.htmlBytes) throw parseFailures.tooLarge('an HTML text', context.limits.htmlBytes)
    return yield* (await parseBytes(Buffer.from(`\ufeff${page}`), 'html', context)).blocks
  }
  if (compressedRtf) yield* (await parseBytes(await unpackRtf(compressedRtf, context), 'rtf', context)).blocks
}

async function unpackRtf(packed: Uint8Array, context: ExtractContext): Promise<Buffer> {
  const sizes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  // The size that it says it has when unpacked comes second.
  if (sizes.length < 16 || sizes.readUInt32LE(4) > context.limits.htmlBytes)
    throw parseFailures.tooLarge('an RTF text', context.limits.htmlBytes)
  const { decompressRTF } = await import('@kenjiuno/decompressrtf')
  try {
    return Buffer.from(decompressRTF([...packed]))
  } catch {
    throw parseFailures.damaged('MSG')
  }
}

function decode(bytes: Uint8Array, codePage = UTF8): string {
  try {
    return new TextDecoder(CODE_PAGES.has(codePage) ? `windows-${codePage}` : 'utf-8').decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

const people = ({ recipients = [] }: FieldsData, type: 'to' | 'cc'): string =>
  recipients
    .filter(({ recipType }) => recipType === type)
    .map(person)
    .filter(Boolean)
    .join(', ')

/** An address within an organization's own mail system is no address to anyone else. */
function person({ name, smtpAddress, email }: Pick<FieldsData, 'name' | 'smtpAddress' | 'email'>): string {
  const address = smtpAddress ?? (email?.includes('@') ? email : undefined)
  return name && address && name !== address ? `${name} <${address}>` : name || address || ''
}

function isoOf(date: string | undefined): string | undefined {
  const at = new Date(date ?? Number.NaN)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
