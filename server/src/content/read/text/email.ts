import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Address, Attachment, Email } from 'postal-mime'
import type { ExtractContext, Extractor, SourceFile } from '../extraction.ts'
import { parseBytes } from '../office/office.ts'
import { ParseError, parseFailures } from '../parse.errors.ts'
import type { Block } from '../parsed-document.ts'
import { textBlocks } from './text.ts'
import { readLines } from './text-lines.ts'

/** Reads the attachments of an e-mail: the same door that the upload came in by. */
export type ExtractAttachment = Extractor

/** An e-mail: who wrote when to whom, its text, then its attachments, each as the file it is. */
export const extractEmail =
  (extractAttachment: ExtractAttachment): Extractor =>
  async (file, context) => {
    if (file.sizeBytes > context.limits.officeBytes)
      throw parseFailures.tooLarge('an e-mail', context.limits.officeBytes)
    const { default: PostalMime } = await import('postal-mime')
    const email = await new PostalMime({ forceRfc822Attachments: true, attachmentEncoding: 'arraybuffer' })
      .parse(await readFile(file.path))
      .catch(() => {
        throw parseFailures.damaged('EML')
      })
    const title = email.subject?.replace(/\s+/g, ' ').trim()
    return { format: 'eml', title: title || undefined, blocks: emailBlocks(email, context, extractAttachment) }
  }

async function* emailBlocks(email: Email, context: ExtractContext, extract: ExtractAttachment): AsyncGenerator<Block> {
  const files = email.attachments.filter((attachment) => !attachment.related || isDocument(attachment))
  yield { kind: 'paragraph', text: headLines(email, files), location: {} }
  if (email.text?.trim()) yield* withoutLines(textBlocks(readLines([email.text])))
  else if (email.html?.trim()) {
    if (email.html.length > context.limits.htmlBytes)
      throw parseFailures.tooLarge('an HTML text', context.limits.htmlBytes)
    yield* (await parseBytes(Buffer.from(`\ufeff${email.html}`), 'html', context)).blocks
  }
  if (context.depth >= context.limits.attachmentDepth) {
    if (files.length > 0) context.note('Attachments of e-mails within e-mails were not read.')
    return
  }
  if (files.length > context.limits.attachments)
    context.note(`Only the first ${context.limits.attachments} of ${files.length} attachments were read.`)
  for (const [index, attachment] of files.slice(0, context.limits.attachments).entries()) {
    const name =
      attachment.filename ?? `attachment ${index + 1}${attachment.mimeType === 'message/rfc822' ? '.eml' : ''}`
    yield* attachmentBlocks(attachment, name, index, context, extract)
  }
}

async function* attachmentBlocks(
  attachment: Attachment,
  name: string,
  index: number,
  context: ExtractContext,
  extract: ExtractAttachment,
): AsyncGenerator<Block> {
  try {
    const file = await storeAttachment(attachment, name, index, context)
    const { blocks } = await extract(file, { ...context, depth: context.depth + 1 })
    for await (const block of blocks) {
      // An attachment of an attached e-mail: the names of both.
      const inner = block.location.attachment
      yield { ...block, location: { ...block.location, attachment: inner ? `${name} > ${inner}` : name } }
    }
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    // A logo or an empty page is no loss that anyone needs to hear of.
    if (error.failure !== 'no-text' && error.failure !== 'empty')
      context.note(`The attachment "${name}" was not read. ${error.message}`)
  }
}

async function storeAttachment(
  attachment: Attachment,
  name: string,
  index: number,
  context: ExtractContext,
): Promise<SourceFile> {
  const bytes =
    typeof attachment.content === 'string'
      ? Buffer.from(attachment.content)
      : Buffer.from(attachment.content as ArrayBuffer)
  const file = path.join(await context.workFolder(), `attachment-${context.depth}-${index}`)
  await writeFile(file, bytes)
  return { path: file, name, sizeBytes: bytes.length, head: bytes.subarray(0, 64 * 1024) }
}

function headLines(email: Email, files: Attachment[]): string {
  const lines: [string, string | undefined][] = [
    ['From', addresses(email.from ? [email.from] : [])],
    ['To', addresses(email.to)],
    ['Cc', addresses(email.cc)],
    ['Date', email.date],
    ['Subject', email.subject],
    [
      'Attachments',
      files
        .map((file) => file.filename)
        .filter(Boolean)
        .join(', '),
    ],
  ]
  return lines.flatMap(([name, value]) => (value?.trim() ? `${name}: ${value.trim()}` : [])).join('\n')
}

function addresses(list: Address[] = []): string {
  return list
    .flatMap((entry) => entry.group ?? [entry])
    .map(({ name, address }) => (name && address ? `${name} <${address}>` : name || address || ''))
    .filter(Boolean)
    .join(', ')
}

/** Pictures that the text shows are decoration; other parts it refers to are read. */
function isDocument(attachment: Attachment): boolean {
  return !attachment.mimeType.startsWith('image/')
}

async function* withoutLines(blocks: AsyncIterable<Block>): AsyncGenerator<Block> {
  for await (const block of blocks) yield { ...block, location: {} }
}
