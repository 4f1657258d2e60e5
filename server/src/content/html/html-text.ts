import { Parser } from 'htmlparser2'
import { TextWriter } from './text-writer.ts'

export interface PageText {
  title?: string
  /** Markdown: headings, lists, tables, code, links with their whole address. */
  text: string
}

/** Elements that are no text of the page, or that nobody sees who looks at it. */
const DROPPED = new Set(
  'script style noscript template svg iframe object embed audio video canvas map nav footer aside button select textarea input datalist dialog'.split(
    ' ',
  ),
)
const DROPPED_ROLES = new Set([
  'navigation',
  'banner',
  'contentinfo',
  'search',
  'dialog',
  'alertdialog',
  'menu',
  'menubar',
])
const BLOCKS = new Set(
  'address article blockquote body center dd details div dl dt fieldset figcaption figure form h1 h2 h3 h4 h5 h6 header hgroup legend li main ol p pre section summary table tbody tfoot thead tr ul'.split(
    ' ',
  ),
)
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
const LONGEST_ADDRESS = 500
/** The main part counts as the page if it holds so much of its text. */
const MAIN_SHARE = 0.2

/**
 * The text of a web page without what surrounds it: menus, scripts, what is hidden. The main part of the page alone,
 * where the page says which that is.
 * @param address what links are relative to
 */
export function htmlToText(html: string, address: string): PageText {
  const writer = new TextWriter()
  let base = address
  let title: string | undefined
  let isTitle = false
  /** Open elements of which nothing is taken, by the name of the outermost. */
  let dropped: { name: string; depth: number } | undefined
  const mains: number[] = []
  const links: (string | undefined)[] = []
  let depth = 0

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth++
        if (dropped) {
          if (name === dropped.name) dropped.depth++
          return
        }
        if (name === 'title') isTitle = title === undefined
        if (name === 'base' && attributes.href) base = URL.parse(attributes.href, address)?.href ?? base
        if (isDropped(name, attributes)) {
          if (!VOID.has(name)) dropped = { name, depth: 1 }
          return
        }
        if (name === 'main' || attributes.role === 'main' || name === 'article') {
          mains.push(depth)
          writer.enterMain()
        }
        if (name === 'br') writer.lineBreak()
        else if (name === 'hr') writer.rule()
        else if (name === 'img' && attributes.alt) writer.text(` [image: ${attributes.alt}] `)
        else if (name === 'a') {
          const target = absolute(attributes.href, base)
          links.push(target)
          if (target) writer.openLink()
        } else if (name === 'code' || name === 'kbd') writer.code()
        else if (name === 'td' || name === 'th') writer.cell(name === 'th')
        else if (BLOCKS.has(name)) writer.open(name, attributes)
      },
      ontext(text) {
        if (isTitle) title = (title ?? '') + text
        else if (!dropped) writer.text(text)
      },
      onclosetag(name) {
        const at = depth--
        if (name === 'title') isTitle = false
        if (dropped) {
          if (name === dropped.name && --dropped.depth === 0) dropped = undefined
          return
        }
        if (name === 'a') {
          const target = links.pop()
          if (target) writer.closeLink(target)
        } else if (name === 'code' || name === 'kbd') writer.code()
        else if (name === 'td' || name === 'th') writer.endCell()
        else if (BLOCKS.has(name)) writer.close(name)
        if (mains.at(-1) === at) {
          mains.pop()
          writer.leaveMain()
        }
      },
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  )
  parser.end(html)
  const { all, main } = writer.finish()
  return {
    title: title?.replace(/\s+/g, ' ').trim() || undefined,
    text: main.length > all.length * MAIN_SHARE ? main : all,
  }
}

function isDropped(name: string, { hidden, style, role, ...rest }: Record<string, string>): boolean {
  if (DROPPED.has(name) || hidden !== undefined || rest['aria-hidden'] === 'true') return true
  if (role && DROPPED_ROLES.has(role.trim().toLowerCase())) return true
  return (
    style !== undefined &&
    /(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]*[1-9]))/i.test(style)
  )
}

/** Absolute address of a link; undefined if it stays on the page. */
function absolute(href: string | undefined, base: string): string | undefined {
  if (!href || href.startsWith('#')) return undefined
  const url = URL.parse(href, base)
  if (!url || !/^https?:$/.test(url.protocol) || url.href.length > LONGEST_ADDRESS) return undefined
  return url.href
}
