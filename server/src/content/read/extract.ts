import { detectFormat, type Format } from './detect-format.ts'
import type { Extractor } from './extraction.ts'

/** Entry point for every file, uploads and attachments alike: detects its format by its content, then runs the extractor of that format. */
export const extract: Extractor = async (file, context) => {
  const format = await detectFormat(file, context.limits)
  if (isRisky(format)) context.guard()
  return (await loadExtractor(format))(file, context)
}

/** Formats whose parsers may run away or break down, unlike our own readers of text, which take linear time. */
function isRisky(format: Format): boolean {
  return !['text', 'markdown', 'csv', 'json', 'jsonl', 'code', 'subtitles'].includes(format)
}

/** Each library is loaded by the first file that needs it. */
async function loadExtractor(format: Format): Promise<Extractor> {
  switch (format) {
    case 'text':
      return (await import('./text/text.ts')).extractText
    case 'markdown':
      return (await import('./text/markdown/markdown.ts')).extractMarkdown
    case 'code':
      return (await import('./text/code.ts')).extractCode
    case 'ipynb':
      return (await import('./text/notebook.ts')).extractNotebook
    case 'subtitles':
      return (await import('./text/subtitles.ts')).extractSubtitles
    case 'csv':
      return (await import('./text/csv.ts')).extractCsv
    case 'json':
      return (await import('./text/json/json.ts')).extractJson
    case 'jsonl':
      return (await import('./text/json/json-lines.ts')).extractJsonLines
    case 'html':
      return (await import('./text/html.ts')).extractHtml
    case 'eml':
      return (await import('./mail/email.ts')).extractEmail(extract)
    case 'doc':
    case 'xls':
    case 'ppt':
      return (await import('./office/old-office.ts')).extractOldOffice(format)
    case 'msg':
      return (await import('./mail/outlook.ts')).extractOutlook(extract)
    case 'pdf':
      return (await import('./pdf/pdf.ts')).extractPdf
    case 'image':
      return (await import('./pictures/image.ts')).extractImage
    default:
      return (await import('./office/office.ts')).extractOffice(format)
  }
}
