import type { Root } from 'mdast'
import { toString as textOf } from 'mdast-util-to-string'

/** Part of the sidebar with its pages. */
export interface Section {
  title: string
  pages: { title: string; href: string }[]
}

/** Sections of the guide, as the headings and lists of links of docs/README.md name them, in their order. */
export function readContents(root: Root): Section[] {
  const sections: Section[] = []
  for (const node of root.children) {
    if (node.type === 'heading' && node.depth === 2) sections.push({ title: textOf(node), pages: [] })
    if (node.type !== 'list') continue
    for (const item of node.children) {
      const [paragraph] = item.children
      const link = paragraph?.type === 'paragraph' ? paragraph.children[0] : undefined
      if (link?.type === 'link') sections.at(-1)?.pages.push({ title: textOf(link), href: link.url })
    }
  }
  return sections
}
