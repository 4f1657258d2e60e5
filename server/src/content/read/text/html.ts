import { readFile } from 'node:fs/promises'
import type { Extractor } from '../extraction.ts'
import { parseBytes } from '../office/office.ts'
import { parseFailures } from '../parse.errors.ts'
import { detectBufferEncoding } from './charset.ts'

/** Web pages: their text, headings and tables, without scripts and styles. */
export const extractHtml: Extractor = async (file, context) => {
  if (file.sizeBytes > context.limits.htmlBytes) throw parseFailures.tooLarge('an HTML file', context.limits.htmlBytes)
  return parseBytes(await toDeclaredEncoding(await readFile(file.path)), 'html', context)
}

/** officeparser follows the encoding that a page declares and else takes UTF-8; one that declares none is guessed here. */
async function toDeclaredEncoding(page: Buffer): Promise<Buffer> {
  if (/charset\s*=|<\?xml[^>]*encoding/i.test(page.subarray(0, 1024).toString('latin1'))) return page
  const encoding = await detectBufferEncoding(page)
  if (encoding === 'utf-8') return page
  return Buffer.from(new TextDecoder(encoding).decode(page), 'utf8')
}
