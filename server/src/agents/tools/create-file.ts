import { z } from 'zod'
import { defineTool, ToolError } from './tool.ts'

const MOST_CHARACTERS = 2_000_000
const MOST_FILES = 20

const MEDIA_TYPES: Record<string, string> = {
  csv: 'text/csv; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  md: 'text/markdown; charset=utf-8',
  svg: 'image/svg+xml',
  tsv: 'text/tab-separated-values; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  xml: 'application/xml',
  yaml: 'application/yaml',
}

/** Makes a file for the person to download. */
export const createFile = () =>
  defineTool({
    name: 'create_file',
    description: `Creates a file that the person can download, for longer or structured results. The ending of the name decides the kind: ${Object.keys(MEDIA_TYPES).join(', ')}. Mention the file by its name in your answer; do not repeat its content.`,
    arguments: z.object({
      name: z.string().min(1).max(200).describe('File name with its ending, for instance report.md'),
      content: z.string().max(MOST_CHARACTERS).describe('The whole text of the file'),
    }),
    timeoutMs: 30_000,
    async run({ name, content }, { outputs }) {
      const fileName = name.split(/[\\/]/).at(-1)!.trim()
      const ending = /\.([a-z0-9]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? ''
      const mediaType = MEDIA_TYPES[ending]
      if (!mediaType) throw new ToolError(`The name must end in one of: ${Object.keys(MEDIA_TYPES).join(', ')}.`)
      if (ending === 'json') requireJson(content)
      if (outputs.count() >= MOST_FILES) throw new ToolError(`An answer can have ${MOST_FILES} files at most.`)
      const { key } = await outputs.add({ fileName, mediaType, content: Buffer.from(content) })
      return {
        content: `Created ${fileName}.`,
        preview: {
          title: fileName,
          content: content.slice(0, 2000),
          content_type: ending === 'md' ? 'markdown' : ending === 'json' ? 'json' : 'text',
        },
        data: { key },
      }
    },
  })

function requireJson(content: string): void {
  try {
    JSON.parse(content)
  } catch (error) {
    throw new ToolError(`The content is not valid JSON: ${(error as Error).message}`)
  }
}
