import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ExtractContext, Extractor, SourceFile } from '../extraction.ts'
import { ParseError } from '../parse.errors.ts'
import type { Block } from '../parsed-document.ts'

/** Reads the attachments of a message: the same door that the upload came in by. */
export type ExtractAttachment = Extractor

/** A message of any format. */
export interface Message {
  /** Names and addresses, as a line names them. */
  from: string
  to: string
  cc: string
  date: string | undefined
  subject: string | undefined
  /** Blocks of its text. */
  body(): AsyncIterable<Block>
  /** Files that are documents, not decoration. */
  files: AttachedFile[]
}

export interface AttachedFile {
  name: string | undefined
  /** Whether it is a message itself. */
  isMessage: boolean
  read(): Uint8Array
}

/** Head of a message (sender, recipients, time), its text, then the attachments, each as the file it is. */
export async function* messageBlocks(
  message: Message,
  context: ExtractContext,
  extract: ExtractAttachment,
  /** Extension of messages within it. */
  extension: string,
): AsyncGenerator<Block> {
  const { files } = message
  yield { kind: 'paragraph', text: headLines(message), location: {} }
  for await (const block of message.body()) yield block
  if (context.depth >= context.limits.attachmentDepth) {
    if (files.length > 0) context.note('Attachments of e-mails within e-mails were not read.')
    return
  }
  if (files.length > context.limits.attachments)
    context.note(`Only the first ${context.limits.attachments} of ${files.length} attachments were read.`)
  for (const [index, file] of files.slice(0, context.limits.attachments).entries()) {
    const name = file.name ?? `attachment ${index + 1}${file.isMessage ? extension : ''}`
    yield* attachmentBlocks(file, name, index, context, extract)
  }
}

async function* attachmentBlocks(
  attached: AttachedFile,
  name: string,
  index: number,
  context: ExtractContext,
  extract: ExtractAttachment,
): AsyncGenerator<Block> {
  try {
    const file = await storeAttachment(attached.read(), name, index, context)
    const { blocks } = await extract(file, { ...context, depth: context.depth + 1, progress: () => {} })
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
  content: Uint8Array,
  name: string,
  index: number,
  context: ExtractContext,
): Promise<SourceFile> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const file = path.join(await context.workFolder(), `attachment-${context.depth}-${index}`)
  await writeFile(file, bytes)
  return { path: file, name, sizeBytes: bytes.length, head: bytes.subarray(0, 64 * 1024) }
}

function headLines({ from, to, cc, date, subject, files }: Message): string {
  const lines: [string, string | undefined][] = [
    ['From', from],
    ['To', to],
    ['Cc', cc],
    ['Date', date],
    ['Subject', subject],
    ['Attachments', files.flatMap(({ name }) => name || []).join(', ')],
  ]
  return lines.flatMap(([name, value]) => (value?.trim() ? `${name}: ${value.trim()}` : [])).join('\n')
}

export async function* withoutLines(blocks: AsyncIterable<Block>): AsyncGenerator<Block> {
  for await (const block of blocks) yield { ...block, location: {} }
}
