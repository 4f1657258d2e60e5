import GithubSlugger from 'github-slugger'
import type { Element, ElementContent, Root, RootContent } from 'hast'
import { toHtml } from 'hast-util-to-html'
import { common, createLowlight } from 'lowlight'
import type { Root as Markdown } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { toHast } from 'mdast-util-to-hast'
import { gfm } from 'micromark-extension-gfm'

export interface Heading {
  depth: number
  id: string
  text: string
}

/** Text below a heading, as the search finds it. */
export interface Passage {
  heading: string
  anchor: string
  text: string
}

export interface Rendered {
  title: string
  html: string
  headings: Heading[]
  passages: Passage[]
}

/** Address that a link leads to; undefined where its target is not in the guide. */
export type LinkTo = (href: string) => string | undefined

const lowlight = createLowlight(common)

export const parse = (markdown: string): Markdown =>
  fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })

/** Markdown as HTML. HTML that is in it is left out. */
export function render(markdown: Markdown, linkTo: LinkTo): Rendered {
  const root = toHast(markdown) as Root
  const slugger = new GithubSlugger()
  const headings: Heading[] = []
  const passages: Passage[] = []
  for (const node of root.children) {
    const depth = node.type === 'element' ? Number(/^h([1-4])$/.exec(node.tagName)?.[1] ?? 0) : 0
    if (depth === 0) {
      const passage = passages.at(-1)
      if (passage) passage.text += ` ${textOf(node)}`
      continue
    }
    const text = textOf(node)
    const id = slugger.slug(text)
    const heading = node as Element
    heading.properties.id = id
    headings.push({ depth, id, text })
    passages.push({ heading: text, anchor: id, text: '' })
    if (depth > 1) heading.children.push(anchorTo(id, text))
  }
  finish(root, linkTo)
  return { title: headings[0]?.text ?? '', html: toHtml(root), headings, passages }
}

const anchorTo = (id: string, text: string): Element => ({
  type: 'element',
  tagName: 'a',
  properties: { href: `#${id}`, className: ['anchor'], ariaLabel: `Link to ${text}` },
  children: [{ type: 'text', value: '#' }],
})

/** Cells and items apart from each other, so that a search finds words and no runs of them. */
const APART = new Set(['td', 'th', 'li', 'p', 'pre'])

const textOf = (node: RootContent | ElementContent): string => {
  if (node.type === 'text') return node.value
  if (node.type !== 'element') return ''
  const text = node.children.map(textOf).join('')
  return APART.has(node.tagName) ? `${text} ` : text
}

/** Colours code, lets wide tables scroll, and turns links to other pages into the guide's own. */
function finish(parent: Root | Element, linkTo: LinkTo): void {
  parent.children.forEach((child, at) => {
    if (child.type !== 'element') return
    finish(child, linkTo)
    if (child.tagName === 'a' && !hasClass(child, 'anchor')) finishLink(child, linkTo)
    if (child.tagName === 'code') colour(child)
    // A heading that says nothing is none.
    if (child.tagName === 'th' && child.children.length === 0) child.tagName = 'td'
    if (child.tagName === 'input') child.properties.ariaLabel = 'Done'
    if (child.tagName === 'pre') parent.children[at] = scrolling(child, 'code', 'Code')
    if (child.tagName === 'table') parent.children[at] = scrolling(child, 'wide', 'Table')
  })
}

const hasClass = ({ properties }: Element, name: string) =>
  Array.isArray(properties.className) && properties.className.includes(name)

/** Frame that the keyboard can scroll, around something that may be wider than the page. */
const scrolling = (child: Element, className: string, label: string): Element => ({
  type: 'element',
  tagName: 'div',
  properties: { className: [className] },
  children: [
    {
      type: 'element',
      tagName: 'div',
      properties: { className: ['scroll'], tabIndex: 0, role: 'group', ariaLabel: label },
      children: [child],
    },
  ],
})

function finishLink(link: Element, linkTo: LinkTo): void {
  const href = linkTo(String(link.properties.href ?? ''))
  if (href === undefined) {
    link.tagName = 'span'
    link.properties = {}
  } else link.properties.href = href
}

function colour(code: Element): void {
  const classes = code.properties.className
  const language = /^language-(\w+)$/.exec(String(Array.isArray(classes) ? classes[0] : ''))?.[1]
  if (!language || !lowlight.registered(language)) return
  code.children = lowlight.highlight(language, textOf(code)).children as ElementContent[]
}
