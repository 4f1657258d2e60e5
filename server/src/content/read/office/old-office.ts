import { readFile, symlink } from 'node:fs/promises'
import path from 'node:path'
import type { Extractor } from '../extraction.ts'
import { parseFailures } from '../parse.errors.ts'
import { convert, findLibreOffice } from './libreoffice.ts'
import { parseBytes } from './office.ts'

export type OldFormat = 'doc' | 'xls' | 'ppt'

/** Format that each is converted to, and what a person does where there is no LibreOffice. */
const CONVERSIONS = {
  doc: { to: 'docx', name: 'A Word file of the old format (DOC)', cure: 'DOCX or PDF' },
  xls: { to: 'xlsx', name: 'An Excel file of the old format (XLS)', cure: 'XLSX or CSV' },
  ppt: { to: 'pptx', name: 'A PowerPoint file of the old format (PPT)', cure: 'PPTX or PDF' },
} as const

/** Seconds that a conversion may take beyond what other files get. */
const PAGES = 60

/** Documents of the binary formats of Office, converted by LibreOffice where that is installed. */
export const extractOldOffice =
  (format: OldFormat): Extractor =>
  async (file, context) => {
    const { to, name, cure } = CONVERSIONS[format]
    if (file.sizeBytes > context.limits.officeBytes)
      throw parseFailures.tooLarge(`a ${format.toUpperCase()} file`, context.limits.officeBytes)
    const program = await findLibreOffice()
    if (program === undefined) throw parseFailures.convertFirst(name, cure)
    const folder = path.join(await context.workFolder(), `conversion-${context.depth}-${conversions++}`)
    const named = `${folder}.${format}`
    await symlink(path.resolve(file.path), named)
    context.pagesDone(PAGES)
    const bytes = await readFile(await convert(program, named, to, folder))
    return { ...(await parseBytes(bytes, to, context)), format }
  }

let conversions = 0
