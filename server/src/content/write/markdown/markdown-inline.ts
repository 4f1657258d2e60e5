import type { Definition, Nodes, Root } from 'mdast'
import type { Run } from '../written-document.ts'

type Style = Omit<Run, 'text'>

/** Reads what is inside paragraphs, headings and cells of one document. */
export function inlineReader(root: Root) {
  const definitions = new Map(
    root.children
      .filter((node): node is Definition => node.type === 'definition')
      .map((node) => [node.identifier, node]),
  )
  const footnotes: string[] = []
  const urlOf = (identifier: string): string | undefined => definitions.get(identifier)?.url

  function runs(nodes: Nodes[], style: Style = {}): Run[] {
    return joined(nodes.flatMap((node) => runsOf(node, style)))
  }

  function runsOf(node: Nodes, style: Style): Run[] {
    switch (node.type) {
      case 'text':
        return [{ text: node.value.replaceAll(/\s*\n\s*/g, ' '), ...style }]
      case 'inlineCode':
        return [{ text: node.value.replaceAll('\n', ' '), ...style, code: true }]
      case 'break':
        return [{ text: '\n', ...style }]
      case 'emphasis':
        return runs(node.children, { ...style, italic: true })
      case 'strong':
        return runs(node.children, { ...style, bold: true })
      case 'delete':
        return runs(node.children, { ...style, strike: true })
      case 'link':
        return runs(node.children, linked(style, node.url))
      case 'linkReference':
        return runs(node.children, linked(style, urlOf(node.identifier)))
      case 'image':
      case 'imageReference':
        return node.alt ? [{ text: node.alt, ...style, italic: true }] : []
      case 'footnoteReference':
        return [{ text: String(numberOf(node.identifier)), ...style, superscript: true }]
      case 'html':
        return /^<br\b/i.test(node.value) ? [{ text: '\n', ...style }] : []
      default:
        return 'children' in node ? runs(node.children, style) : []
    }
  }

  function numberOf(identifier: string): number {
    if (!footnotes.includes(identifier)) footnotes.push(identifier)
    return footnotes.indexOf(identifier) + 1
  }

  function text(node: Nodes): string {
    if ('value' in node) return node.value
    return 'children' in node ? node.children.map(text).join(' ') : ''
  }

  return {
    runs,
    urlOf,
    /** All words of a node. */
    text,
    /** Identifiers of the notes that were referred to so far, in the order of their numbers. */
    footnotes: () => footnotes,
  }
}

const linked = (style: Style, url: string | undefined): Style =>
  url && /^(https?:\/\/|mailto:)/i.test(url) && URL.canParse(url) ? { ...style, link: new URL(url).href } : style

const STYLES = ['bold', 'italic', 'strike', 'code', 'superscript', 'link'] as const

/** Neighbours in one style are one run. */
function joined(runs: Run[]): Run[] {
  const result: Run[] = []
  for (const run of runs) {
    const last = result.at(-1)
    if (last && STYLES.every((name) => last[name] === run[name])) last.text += run.text
    else if (run.text) result.push({ ...run })
  }
  return result
}
