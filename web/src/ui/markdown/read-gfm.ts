import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import type { Processor } from 'unified'

/** Extensions of the parser, as `remark-parse` reads them. */
interface ParserData {
  micromarkExtensions?: unknown[]
  fromMarkdownExtensions?: unknown[]
}

/** Reads tables, task lists, bare links, footnotes and what is struck out, as `remark-gfm` does, and cannot write them. */
export function readGfm(this: Processor): void {
  const data = this.data() as ParserData
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), gfm()]
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), gfmFromMarkdown()]
}
