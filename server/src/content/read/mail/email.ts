import { readFile } from 'node:fs/promises'
import type { Address, Attachment, Email } from 'postal-mime'
import type { ExtractContext, Extractor } from '../extraction.ts'
import { parseBytes } from '../office/office.ts'
import { parseFailures } from '../parse.errors.ts'
import type { Block } from '../parsed-document.ts'
import { textBlocks } from '../text/text.ts'
import { readLines } from '../text/text-lines.ts'
import { type ExtractAttachment, type Message, messageBlocks, withoutLines } from './message-blocks.ts'

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
    const blocks = messageBlocks(toMessage(email, context), context, extractAttachment, '.eml')
    return { format: 'eml', title: title || undefined, blocks }
  }

const toMessage = (email: Email, context: ExtractContext): Message => ({
  from: addresses(email.from ? [email.from] : []),
  to: addresses(email.to),
  cc: addresses(email.cc),
  date: email.date,
  subject: email.subject,
  body: () => textOf(email, context),
  files: email.attachments
    .filter((attachment) => !attachment.related || isDocument(attachment))
    .map(({ filename, mimeType, content }) => ({
      name: filename ?? undefined,
      isMessage: mimeType === 'message/rfc822',
      read: () => (typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content as ArrayBuffer)),
    })),
})

async function* textOf(email: Email, context: ExtractContext): AsyncGenerator<Block> {
  if (email.text?.trim()) yield* withoutLines(textBlocks(readLines([email.text])))
  else if (email.html?.trim()) {
    if (email.html.length > context.limits.htmlBytes)
      throw parseFailures.tooLarge('an HTML text', context.limits.htmlBytes)
    yield* (await parseBytes(Buffer.from(`\ufeff${email.html}`), 'html', context)).blocks
  }
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
