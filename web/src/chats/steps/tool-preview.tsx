import type { ToolPreview } from '@docent/sdk'
import { HtmlFrame } from '../../ui/data/html-frame.tsx'
import { RichText } from '../text/rich-text.tsx'
import { JsonTree } from './later-json-tree.ts'
import { ToolPicture } from './tool-picture.tsx'

/** Result of a tool, by its type; unknown types are shown as text. */
export function ToolPreviewContent({ preview: { title, content, content_type } }: { preview: ToolPreview }) {
  if (content_type === 'markdown') return <RichText text={content} />
  if (content_type === 'image') return <ToolPicture data={content} title={title} />
  if (content_type === 'html') return <HtmlFrame html={content} title={title} />
  const value = content_type === 'json' ? parsed(content) : undefined
  if (value !== undefined) return <JsonTree value={value} />
  return <p className="whitespace-pre-wrap wrap-anywhere">{content}</p>
}

/** Undefined for text that is not JSON, or was cut. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
