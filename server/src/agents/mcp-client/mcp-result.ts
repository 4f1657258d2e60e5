import type { CallToolResult } from '@modelcontextprotocol/client'
import { dataSection } from '../tools/quote.ts'
import { ToolError, type ToolResult } from '../tools/tool.ts'

type Block = CallToolResult['content'][number]

/** Length of a preview. */
const PREVIEW_LENGTH = 2000
/** Largest image that is shown: it is stored with the message. */
const MOST_IMAGE_CHARACTERS = 300_000
/** Length of a result that is read at all; the agent's own limit comes on top. */
const LONGEST = 200_000

/**
 * Result of a server, for the model as marked material, and for people as a preview.
 * @param title of the tool, as its server names it for people
 */
export function toToolResult(toolName: string, result: CallToolResult, title = toolName): ToolResult {
  const text = textOf(result)
  return { content: marked(toolName, text), preview: previewOf(title, result, text) }
}

/** Error of a server as a ToolError. */
export function toToolError(toolName: string, text: string): ToolError {
  return new ToolError(text, { content: `The call failed.\n${marked(toolName, text)}` })
}

const marked = (toolName: string, text: string): string => dataSection({ from: toolName }, text)

/** Text of a result; blocks that hold no words are named. */
export function textOf({ content, structuredContent }: CallToolResult): string {
  const texts = content.map(inWords).filter((text) => text !== '')
  // Servers are asked to say the same in text; not all do.
  if (!content.some(({ type }) => type === 'text') && structuredContent !== undefined)
    texts.push(JSON.stringify(structuredContent))
  const whole = texts.join('\n\n') || '(The result is empty.)'
  return whole.length <= LONGEST
    ? whole
    : `${whole.slice(0, LONGEST)}\n(cut here: ${whole.length - LONGEST} more characters)`
}

function inWords(block: Block): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
    case 'audio':
      return `(${block.mimeType}, ${sizeOf(block.data)}; the person sees it, if it can be shown)`
    case 'resource_link':
      return `${block.title ?? block.name}: ${block.uri}${block.description ? ` (${block.description})` : ''}`
    case 'resource': {
      const { resource } = block
      return 'text' in resource
        ? `${resource.uri}:\n${resource.text}`
        : `(${resource.uri}: ${resource.mimeType ?? 'bytes'}, ${sizeOf(resource.blob)})`
    }
  }
}

const sizeOf = (base64: string): string => `${Math.ceil((base64.length * 3) / 4096)} KB`

function previewOf(title: string, { content, structuredContent }: CallToolResult, text: string): ToolResult['preview'] {
  const image = content.find((block) => block.type === 'image')
  if (image && image.data.length <= MOST_IMAGE_CHARACTERS && /^image\/(png|jpeg|gif|webp)$/.test(image.mimeType))
    return { title, content: `data:${image.mimeType};base64,${image.data}`, content_type: 'image' }
  const isJson = structuredContent !== undefined
  return {
    title,
    content: (isJson ? JSON.stringify(structuredContent, null, 2) : text).slice(0, PREVIEW_LENGTH),
    content_type: isJson ? 'json' : 'text',
  }
}
