import { readFile } from 'node:fs/promises'
import type { OfficeError, OfficeParserAST, OfficeParserConfig } from 'officeparser'
import type { ExtractContext, Extraction, Extractor } from '../extraction.ts'
import { parseFailures } from '../parse.errors.ts'
import { officeBlocks } from './office-blocks.ts'
import type { OfficeFormat } from './office-format.ts'
import { readSheetFormats } from './sheet-formats.ts'

type Type = OfficeFormat | 'rtf' | 'html'

/** Documents that officeparser reads: DOCX, PPTX, XLSX, ODT, ODP, ODS, ODG, EPUB and RTF. */
export const extractOffice =
  (type: OfficeFormat | 'rtf'): Extractor =>
  async (file, context) => {
    if (file.sizeBytes > context.limits.officeBytes)
      throw parseFailures.tooLarge(`a ${type.toUpperCase()} file`, context.limits.officeBytes)
    return parseBytes(await readFile(file.path), type, context)
  }

/**
 * Reads a document in memory.
 * @throws ParseError that says what is wrong with the file.
 */
export async function parseBytes(bytes: Buffer, type: Type, context: ExtractContext): Promise<Extraction> {
  const { OfficeParser, OfficeWarningType } = await import('officeparser')
  const formats = type === 'xlsx' ? await readSheetFormats(bytes, context.limits.expandedBytes) : undefined
  const config: OfficeParserConfig = {
    fileType: type,
    ignoreComments: true,
    ignoreSlideMasters: true,
    ignoreInternalLinks: true,
    // Only the XML of a cell tells its number format, which makes a number a date.
    includeRawContent: formats !== undefined,
    serializeRawContent: false,
    decompressionLimits: {
      maxUncompressedBytes: context.limits.expandedBytes,
      maxRawContentLength: context.limits.expandedBytes,
    },
    onWarning: ({ code }) => {
      if (code === OfficeWarningType.TABLE_CELL_LIMIT_EXCEEDED)
        context.note('The table is longer than a million cells; the rest of it was not read.')
      if (code === OfficeWarningType.CONTENT_PART_NOT_READ) context.note('A part of the document could not be read.')
    },
  }
  let ast: OfficeParserAST
  try {
    ast = await OfficeParser.parseOffice(bytes, config)
  } catch (error) {
    throw officeFailure(error, type, context)
  }
  const title = ast.metadata.title?.replace(/\s+/g, ' ').trim()
  return { format: type, title: title || undefined, blocks: officeBlocks(ast, formats) }
}

function officeFailure(error: unknown, type: Type, { limits }: ExtractContext): Error {
  const format = type.toUpperCase()
  const issue = (error as OfficeError).officeIssue
  switch (issue?.code) {
    case 'PASSWORD_REQUIRED':
    case 'PASSWORD_INCORRECT':
    case 'DOCUMENT_DECRYPTION_FAILED':
      return parseFailures.encrypted()
    case 'ZIP_SIZE_LIMIT_EXCEEDED':
      return parseFailures.expandsTooFar(limits.expandedBytes)
    case 'ZIP_ENTRY_COUNT_LIMIT_EXCEEDED':
    case 'XML_ELEMENT_LIMIT_EXCEEDED':
      return parseFailures.tooManyParts()
    case 'MAX_NESTING_DEPTH_EXCEEDED':
      return parseFailures.nestedTooDeeply(format)
    default:
      return parseFailures.damaged(format, shortReason(error))
  }
}

/** First sentence of a library's message, unless it speaks of its own code rather than of the file. */
function shortReason(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const reason = error.message
    .replace(/^\[OfficeParser\]:\s*/, '')
    .split(/[\n.]/, 1)[0]!
    .trim()
  const ofCode = /undefined|null|function|property|iterable|[/\\]\w+[/\\]/.test(reason)
  return reason && reason.length <= 120 && !ofCode ? reason.charAt(0).toLowerCase() + reason.slice(1) : undefined
}
