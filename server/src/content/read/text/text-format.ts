import type { SourceFile } from '../extraction.ts'
import { detectBufferEncoding } from './charset.ts'
import { detectDelimiter } from './delimiter.ts'

export type TextFormat =
  | 'text'
  | 'markdown'
  | 'html'
  | 'csv'
  | 'json'
  | 'jsonl'
  | 'eml'
  | 'code'
  | 'ipynb'
  | 'subtitles'

const codeExtensions = new Set(
  (
    'ts tsx mts cts js jsx mjs cjs vue svelte py pyi rb php java kt kts scala groovy clj cljs go rs c h cc cpp cxx hpp hh cs fs ' +
    'fsx vb swift m mm dart lua pl pm r jl hs elm ex exs erl sh bash zsh fish ps1 bat cmd sql graphql gql proto css scss sass ' +
    'less xml xsd xsl xslt svg yaml yml toml ini cfg conf properties env gradle tf hcl cmake mk asm s zig nim v sol'
  ).split(' '),
)
const codeNames = /^(?:Dockerfile|Makefile|Jenkinsfile|Vagrantfile|Rakefile|Gemfile|CMakeLists\.txt)$/i
const mailHeader =
  /^(?:from|to|subject|date|received|message-id|return-path|delivered-to|mime-version|content-type|reply-to|cc):\s/i

/** Kind of a text by its content, helped by the extension where kinds look alike (code, notes, lists). */
export async function detectTextFormat(file: SourceFile): Promise<TextFormat> {
  const extension = /\.([^.]+)$/.exec(file.name.trim())?.[1]?.toLowerCase() ?? ''
  const sample = new TextDecoder(await detectBufferEncoding(file.head)).decode(file.head)
  const start = sample.trimStart()
  if (isHtml(start, extension)) return 'html'
  if (isMail(start, extension)) return 'eml'
  if (extension === 'ipynb') return 'ipynb'
  if (isSubtitles(start, extension)) return 'subtitles'
  if (codeExtensions.has(extension) || codeNames.test(file.name)) return 'code'
  if (extension === 'md' || extension === 'markdown' || extension === 'mdx') return 'markdown'
  if (extension === 'jsonl' || extension === 'ndjson') return 'jsonl'
  if (extension === 'csv' || extension === 'tsv' || extension === 'tab') return 'csv'
  const json = jsonKind(start, file.sizeBytes > file.head.length)
  if (json) return json
  if (extension === 'json' || extension === 'geojson') return 'json'
  if (start.startsWith('#!')) return 'code'
  if (isTable(sample)) return 'csv'
  return isMarkdown(sample) ? 'markdown' : 'text'
}

function isHtml(start: string, extension: string): boolean {
  const begin = start.slice(0, 4096).replace(/^(?:<\?xml[^>]*>|<!--[^>]*-->|\s)+/, '')
  if (/^<(?:!doctype\s+html|html|head|body)\b/i.test(begin)) return true
  if (extension === 'html' || extension === 'htm' || extension === 'xhtml') return /<[a-z!]/i.test(begin)
  return false
}

/** SRT and WebVTT begin alike whatever their name; a name alone is not enough. */
function isSubtitles(start: string, extension: string): boolean {
  if (/^WEBVTT(?:[ \t].*)?(?:\r?\n|\r|$)/.test(start)) return true
  if (/^\d+\s*[\r\n]\s*(?:\d+:)?\d{1,2}:\d{2},\d{3}\s+-->\s/.test(start)) return true
  return (extension === 'srt' || extension === 'vtt') && /\d[.,]\d{3}\s+-->\s/.test(start)
}

function isMail(start: string, extension: string): boolean {
  const lines = start.slice(0, 8192).split(/\r?\n/, 30)
  const fields = new Set<string>()
  for (const line of lines) {
    if (!line) break
    if (/^\s/.test(line)) continue
    if (!/^[\w-]+:/.test(line)) return extension === 'eml' && fields.size > 0
    if (mailHeader.test(line)) fields.add(line.slice(0, line.indexOf(':')).toLowerCase())
  }
  if (extension === 'eml' || extension === 'mht' || extension === 'mhtml') return fields.size > 0
  const mark = fields.has('mime-version') || fields.has('received') || fields.has('message-id')
  return mark && fields.has('from') && fields.size >= 3
}

/** JSON of one value, or of one a line. A sample that is cut off cannot be proven; its first lines are. */
function jsonKind(start: string, cutOff: boolean): 'json' | 'jsonl' | undefined {
  if (!/^[{[]/.test(start)) return undefined
  const lines = start.split(/\r?\n/, 6).filter((line) => line.trim())
  const complete = lines.length === 6 ? lines.slice(0, 5) : lines
  if (complete.length > 1 && complete.every((line) => /^[{[]/.test(line) && isJson(line))) return 'jsonl'
  if (!cutOff) return isJson(start) ? 'json' : undefined
  return /^[{[]\s*(?:["{[\]}\d-]|true|false|null)/.test(start) ? 'json' : undefined
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A text without a telling name is a table when nearly all of its lines have the same three or more fields. */
function isTable(sample: string): boolean {
  const first = sample.trimStart().slice(0, 2048).split('\n', 1)[0]!
  // Prose begins with a line that already tells, without counting.
  if (!/[;\t|]|,\S/.test(first)) return false
  const found = detectDelimiter(sample)
  if (!found || found.lines < 4 || found.agreement < 0.95) return false
  return found.delimiter === ',' ? found.fields >= 3 && !/, /.test(sample.slice(0, 500)) : found.fields >= 3
}

/** A text without a telling name is Markdown when it has a marked heading and another mark. */
function isMarkdown(sample: string): boolean {
  if (!/^#{1,6} \S/m.test(sample)) return false
  return /^(?:```|~~~|[-*] \S|\d+\. \S|#{2,6} \S|> \S)/m.test(sample) || /\[[^\][\n]+\]\([^()\s]+\)/.test(sample)
}
