import type { MadeFile } from '../../content/write/make-request.ts'
import type { ToolPreview } from './tool.ts'

type Shown = Pick<ToolPreview, 'content' | 'content_type'>

const MOST_CHARACTERS = 2_000
const MOST_HTML_CHARACTERS = 20_000
/** Previews are stored with the answer and sent to every reader. */
const MOST_PICTURE_BYTES = 64 * 1024

/** Preview of a text: its first lines, or the whole page for HTML, or its plain text. */
export function textPreview(ending: string, content: string): Shown {
  if (ending === 'html' && content.length <= MOST_HTML_CHARACTERS) return { content, content_type: 'html' }
  const beginning = content.slice(0, MOST_CHARACTERS)
  // Cut in the middle it is no JSON any more.
  if (ending === 'json' && content.length <= MOST_CHARACTERS) return { content, content_type: 'json' }
  return { content: beginning, content_type: ['md', 'pdf', 'docx'].includes(ending) ? 'markdown' : 'text' }
}

/** A picture as a data: URL, or as a description if it is large. */
export function picturePreview(fileName: string, picture: NonNullable<MadeFile['picture']>): Shown {
  if (picture.bytes.byteLength > MOST_PICTURE_BYTES) return { content: `Picture ${fileName}`, content_type: 'text' }
  const data = Buffer.from(picture.bytes).toString('base64')
  return { content: `data:${picture.mediaType};base64,${data}`, content_type: 'image' }
}
