import { fromMarkdown } from 'mdast-util-from-markdown'
import { visit } from 'unist-util-visit'

/** Fenced block of a page. */
export interface Snippet {
  language: string
  code: string
  /** Line of the page on which the code begins, from 1. */
  line: number
  /** Reason why it is not run, as its fence says it; null for one that is. */
  notRun: string | null
}

const NOT_RUN = /^not-run:\s*(.+)$/

/** All fenced blocks of a page, also within lists, in their order. */
export function readSnippets(markdown: string): Snippet[] {
  const found: Snippet[] = []
  visit(fromMarkdown(markdown), 'code', ({ lang, meta, value, position }) => {
    const notRun = NOT_RUN.exec(meta ?? '')?.[1] ?? null
    found.push({ language: lang ?? '', code: value, line: (position?.start.line ?? 0) + 1, notRun })
  })
  return found
}

/**
 * The blocks of one language that are run, as one program: each line is where it is in the page, so that errors
 * name the page's own lines.
 */
export function toProgram(snippets: Snippet[], language: string): string | undefined {
  const own = snippets.filter((one) => one.language === language && one.notRun === null)
  if (own.length === 0) return undefined
  const lines: string[] = []
  for (const { code, line } of own) {
    while (lines.length < line - 1) lines.push('')
    lines.push(...code.split('\n'))
  }
  return `${lines.join('\n')}\n`
}
