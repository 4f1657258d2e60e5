import { withoutDirectionMarks } from '../../text/direction-marks.ts'

/** A `content-disposition` that saves the answer under this name, whatever its characters (RFC 6266). */
export const attachment = (fileName: string): string => disposition('attachment', fileName)

/** A `content-disposition` for an answer that a browser may show in place. */
export const inline = (fileName: string): string => disposition('inline', fileName)

function disposition(kind: 'attachment' | 'inline', given: string): string {
  const fileName = withoutDirectionMarks(given)
  const plain = fileName.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
