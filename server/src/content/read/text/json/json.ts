import { readFile } from 'node:fs/promises'
import type { ExtractContext, Extraction, Extractor, SourceFile } from '../../extraction.ts'
import { detectBufferEncoding, detectEncoding } from '../charset.ts'
import { readText } from '../read-text.ts'
import { textBlocks } from '../text.ts'
import { readLines } from '../text-lines.ts'
import { jsonBlocks } from './json-blocks.ts'

/** JSON as `path: value` lines and tables; above the size limit, or where it is not valid, as lines of text. */
export const extractJson: Extractor = async (file, context) => {
  if (file.sizeBytes <= context.limits.jsonBytes) {
    const bytes = await readFile(file.path)
    try {
      const value: unknown = JSON.parse(new TextDecoder(await detectBufferEncoding(bytes)).decode(bytes))
      return { format: 'json', blocks: jsonBlocks(value) }
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
    }
  }
  return asText(file, context)
}

async function asText(file: SourceFile, context: ExtractContext): Promise<Extraction> {
  const encoding = await detectEncoding(file)
  return { format: 'json', blocks: textBlocks(readLines(readText(file, encoding, context))) }
}
