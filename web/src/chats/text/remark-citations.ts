import type { PhrasingContent, Root, Text } from 'mdast'
import { visit } from 'unist-util-visit'

const CITATION = /\[(\d{1,4}(?:\s*,\s*\d{1,4})*)\]/g

/** Turns `[1]` and `[2, 3]` in text into elements: `<cite data-numbers="2,3">`. Code is not changed. */
export function remarkCitations() {
  return (tree: Root) => {
    visit(tree, 'text', (node: Text, index, parent) => {
      if (!parent || index === undefined) return
      const parts = split(node.value)
      if (parts.length === 1) return
      parent.children.splice(index, 1, ...(parts as PhrasingContent[]))
      return index + parts.length
    })
  }
}

function split(text: string) {
  const parts: unknown[] = []
  let from = 0
  for (const { 0: whole, 1: numbers, index } of text.matchAll(CITATION)) {
    if (index > from) parts.push({ type: 'text', value: text.slice(from, index) })
    parts.push({
      type: 'citation',
      data: { hName: 'cite', hProperties: { dataNumbers: numbers!.replaceAll(/\s/g, '') } },
      children: [{ type: 'text', value: whole }],
    })
    from = index + whole.length
  }
  if (from < text.length) parts.push({ type: 'text', value: text.slice(from) })
  return parts
}
