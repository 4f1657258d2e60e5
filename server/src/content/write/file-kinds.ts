/** How a file comes to be: `text` is stored as it was written. */
export type Making = 'text' | 'pdf' | 'docx' | 'xlsx' | 'png' | 'svg'

export interface FileKind {
  mediaType: string
  making: Making
}

const text = (mediaType: string): FileKind => ({ mediaType, making: 'text' })
const office = (name: string, making: Making): FileKind => ({
  mediaType: `application/vnd.openxmlformats-officedocument.${name}`,
  making,
})

/** Kinds of file that `create_file` makes, by the ending of the name. */
export const FILE_KINDS: Record<string, FileKind> = {
  md: text('text/markdown; charset=utf-8'),
  txt: text('text/plain; charset=utf-8'),
  csv: text('text/csv; charset=utf-8'),
  tsv: text('text/tab-separated-values; charset=utf-8'),
  json: text('application/json'),
  html: text('text/html; charset=utf-8'),
  xml: text('application/xml'),
  yaml: text('application/yaml'),
  docx: office('wordprocessingml.document', 'docx'),
  pdf: { mediaType: 'application/pdf', making: 'pdf' },
  xlsx: office('spreadsheetml.sheet', 'xlsx'),
  png: { mediaType: 'image/png', making: 'png' },
  svg: { mediaType: 'image/svg+xml', making: 'svg' },
}
