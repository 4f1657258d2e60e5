import { z } from 'zod'
import { Chart } from '../../content/write/charts/chart.schema.ts'
import { MakeFailure } from '../../content/write/failure.ts'
import { FILE_KINDS, type FileKind } from '../../content/write/file-kinds.ts'
import type { FileMaker } from '../../content/write/file-maker.ts'
import type { GivenPicture, MadeFile } from '../../content/write/make-request.ts'
import { pictureNames } from '../../content/write/picture-names.ts'
import { makeCsv } from '../../content/write/sheets/csv-text.ts'
import { PAGES } from '../../content/write/written-document.ts'
import { withoutDirectionMarks } from '../../platform/text/direction-marks.ts'
import { picturePreview, textPreview } from './file-preview.ts'
import { defineTool, type Outputs, type ToolContext, ToolError, type ToolPreview } from './tool.ts'

const MOST_CHARACTERS = 2_000_000
const MOST_BYTES = 20 * 1024 * 1024
const MOST_FILES = 20
/** Characters of a table that are gone through in a few milliseconds. */
const SHORT_TABLE = 50_000
const ENDINGS = Object.keys(FILE_KINDS).join(', ')

const DESCRIPTION = `Creates a file that the person can download, for longer or structured results. The ending of the name decides the kind: ${ENDINGS}.
- md, txt, csv, tsv, json, html, xml, yaml: content is the whole text of the file.
- docx, pdf: content is Markdown (headings, lists, tables, code, quotes, links). It is laid out with page numbers. A code block in the language "chart" whose text is the JSON of a chart (as in the argument chart) becomes that chart; ![text](name.png) shows a picture that you made before in this answer.
- xlsx: content is CSV for one sheet, or JSON for several: {"sheets": [{"name": "Sales", "rows": [["Month", "Total"], ["2026-01-31", 12.5]]}]}. The first row is the header. Numbers and ISO dates become real ones; a formula is written {"formula": "=SUM(B2:B9)"}.
- png, svg: give chart instead of content; svg also takes its own source as content.
Mention the file by its name in your answer; do not repeat its content.`

const Arguments = z.object({
  name: z.string().min(1).max(200).describe('File name with its ending, for instance report.pdf'),
  content: z.string().max(MOST_CHARACTERS).optional().describe('The content, as the description says for each kind'),
  chart: Chart.optional().describe('For png and svg: the chart'),
  page: z.enum(PAGES).optional().describe('For docx and pdf; default A4'),
})
type Arguments = z.infer<typeof Arguments>

/** Makes a file for the person to download. */
export const createFile = (maker: FileMaker) =>
  defineTool({
    name: 'create_file',
    description: DESCRIPTION,
    arguments: Arguments,
    timeoutMs: 60_000,
    async run(given, context) {
      const { outputs } = context
      const { fileName, ending, kind } = kindOf(given.name)
      if (outputs.count() >= MOST_FILES) throw new ToolError(`An answer can have ${MOST_FILES} files at most.`)
      const { bytes, notes, preview } = await make(maker, { ...given, fileName, ending, kind }, context)
      if (bytes.length > MOST_BYTES) {
        const size = Math.ceil(bytes.length / (1024 * 1024))
        throw new ToolError(`The file would have ${size} MiB, ${MOST_BYTES / (1024 * 1024)} MiB at most. Make several.`)
      }
      context.signal.throwIfAborted()
      const { key } = await outputs.add({ fileName, mediaType: kind.mediaType, content: bytes })
      return {
        content: [`Created ${fileName}.`, ...notes].join('\n'),
        preview: { title: fileName, ...preview },
        data: { key },
      }
    },
  })

function kindOf(name: string): { fileName: string; ending: string; kind: FileKind } {
  const fileName = withoutDirectionMarks(name)
    .split(/[\\/]/)
    .at(-1)!
    .replaceAll(/\p{Cc}/gu, '')
    .trim()
  const ending = /[^.]\.([a-z0-9]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? ''
  const kind = Object.hasOwn(FILE_KINDS, ending) ? FILE_KINDS[ending] : undefined
  if (!kind) throw new ToolError(`The name must end in one of: ${ENDINGS}.`)
  return { fileName, ending, kind }
}

interface Made {
  bytes: Buffer
  notes: string[]
  preview: Pick<ToolPreview, 'content' | 'content_type'>
}

type Wanted = Arguments & ReturnType<typeof kindOf>

async function make(maker: FileMaker, wanted: Wanted, context: ToolContext): Promise<Made> {
  const { kind, ending, fileName, content, chart, page = 'A4' } = wanted
  const drawn = kind.making === 'png' || kind.making === 'svg'
  if (chart && !drawn) {
    const instead = ['docx', 'pdf'].includes(ending)
      ? ' In the Markdown, write it as a code block in the language chart.'
      : ''
    throw new ToolError(`A chart needs a name that ends in .png or .svg.${instead}`)
  }
  if (drawn && chart) {
    const made = await tryMaking(() => maker.make({ kind: kind.making as 'png' | 'svg', chart }, callerOf(context)))
    return { ...made, preview: picturePreview(fileName, made.picture!) }
  }
  if (kind.making === 'png') throw new ToolError('A .png file is made from chart; give its data there.')
  if (content === undefined) throw new ToolError(`Give the content of ${fileName}.`)
  switch (kind.making) {
    case 'text': {
      if (ending === 'json') requireJson(content)
      if (ending === 'csv' || ending === 'tsv') return makeTable(maker, wanted, context)
      return { bytes: Buffer.from(content), notes: [], preview: textPreview(ending, content) }
    }
    case 'svg': {
      const bytes = Buffer.from(content)
      if (!/<svg[\s>]/i.test(content)) throw new ToolError('The content is no SVG; give its source, or a chart.')
      return { bytes, notes: [], preview: picturePreview(fileName, { mediaType: kind.mediaType, bytes }) }
    }
    case 'xlsx': {
      const made = await tryMaking(() => maker.make({ kind: 'xlsx', content }, callerOf(context)))
      return { ...made, preview: { content: made.summary ?? '', content_type: 'markdown' } }
    }
    default: {
      const title = fileName.slice(0, -ending.length - 1)
      const pictures = await readPictures(content, context.outputs)
      const request = { kind: kind.making, content, title, page, pictures }
      const made = await tryMaking(() => maker.make(request, callerOf(context)))
      return { ...made, preview: textPreview(ending, content) }
    }
  }
}

const callerOf = ({ run: { organizationId }, signal }: ToolContext) => ({ organizationId, signal })

/** A long one beside the server's own work, which it would hold up. */
async function makeTable(maker: FileMaker, { content = '', ending }: Wanted, context: ToolContext): Promise<Made> {
  const isShort = content.length <= SHORT_TABLE
  const made = isShort ? makeCsv(content) : await maker.make({ kind: 'csv', content }, callerOf(context))
  return { ...made, preview: textPreview(ending, made.bytes.toString()) }
}

/** Pictures of a document, as far as they were made before in this answer. */
async function readPictures(markdown: string, outputs: Outputs): Promise<GivenPicture[]> {
  const pictures: GivenPicture[] = []
  for (const name of pictureNames(markdown).slice(0, MOST_FILES)) {
    const file = await outputs.read(name)
    if (file?.mediaType.startsWith('image/')) pictures.push({ name, mediaType: file.mediaType, bytes: file.content })
  }
  return pictures
}

/** Makes a file; a failure that the model can avoid is a ToolError. */
async function tryMaking(making: () => Promise<MadeFile>): Promise<MadeFile> {
  try {
    return await making()
  } catch (error) {
    if (error instanceof MakeFailure) throw new ToolError(error.message, { cause: error })
    throw error
  }
}

function requireJson(content: string): void {
  try {
    JSON.parse(content)
  } catch (error) {
    throw new ToolError(`The content is not valid JSON: ${(error as Error).message}`)
  }
}
