import { parseAsync, renderDocument } from 'docx-preview'
import { allowXml } from '../allow-xml.ts'

/** Paper stays white, as it would be printed; a document that says nothing of its page gets a usual one. */
const PAPER = `
  .docx-pages .docx-wrapper { background: none; padding: 1.5rem 1rem; color-scheme: light; }
  .docx-pages .docx-wrapper > section.docx {
    box-sizing: border-box; min-width: min(100%, 44rem); padding: 3rem; color: black; background: white;
    box-shadow: var(--shadow) 0 1px 4px;
  }
`

/** Element as the library describes it. */
interface Described {
  tagName: string
  ns?: string
  className?: string
  style?: string | Record<string, string>
  children?: (Described | Node | string)[]
  [property: string]: unknown
}

/**
 * Draws a Word document into an element. The policy of the page allows no `<style>` elements and no markup from
 * strings: styles become sheets of the document until the signal aborts, and elements are made one by one.
 * @throws if it is no Word document
 */
export async function drawDocx(blob: Blob, into: HTMLElement, signal: AbortSignal): Promise<void> {
  allowXml()
  const options = {
    className: 'docx',
    ignoreFonts: true,
    renderAltChunks: false,
    breakPages: true,
    experimental: false,
  }
  const parsed = await parseAsync(blob, options)
  const styles: string[] = []
  const h = (given: Described | Node | string) => build(given, styles)
  const nodes = (await renderDocument(parsed, { ...options, h })) as Node[]
  if (signal.aborted) return
  const sheet = new CSSStyleSheet()
  sheet.replaceSync([...styles, PAPER].join('\n'))
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  signal.addEventListener('abort', () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet)
  })
  into.replaceChildren(...nodes)
}

/** Properties of elements that a document may set: nothing that runs, loads or navigates. */
const SAFE = /^(colSpan|rowSpan|id|title|lang|dir|alt|start|value|textContent|type)$/
const FORBIDDEN = /^(script|iframe|object|embed|link|meta|base|form)$/i

function build(given: Described | Node | string, styles: string[]): Node {
  if (typeof given === 'string') return document.createTextNode(given)
  if (given instanceof Node) return given
  const { tagName, ns, className, style, children = [], ...properties } = given
  if (tagName === 'style') {
    styles.push(children.join(''))
    return document.createComment('')
  }
  if (tagName === '#comment') return document.createComment('')
  if (tagName === '#fragment' || FORBIDDEN.test(tagName)) {
    const fragment = document.createDocumentFragment()
    fragment.append(...children.map((child) => build(child, styles)))
    return fragment
  }
  const element = (ns ? document.createElementNS(ns, tagName) : document.createElement(tagName)) as HTMLElement
  if (className) element.setAttribute('class', className)
  if (typeof style === 'string') element.style.cssText = style
  else if (style) Object.assign(element.style, style)
  for (const [name, value] of Object.entries(properties)) setProperty(element, name, value)
  element.append(...children.map((child) => build(child, styles)))
  return element
}

function setProperty(element: HTMLElement, name: string, value: unknown): void {
  if (value === undefined || value === null) return
  if (element instanceof HTMLImageElement && name === 'src' && String(value).startsWith('blob:')) {
    element.src = String(value)
    element.alt ||= ''
  } else if (element instanceof HTMLAnchorElement && name === 'href' && /^(https?:\/\/|#)/i.test(String(value))) {
    element.href = String(value)
    if (!String(value).startsWith('#'))
      Object.assign(element, { target: '_blank', rel: 'noopener noreferrer nofollow' })
  } else if (SAFE.test(name)) Object.assign(element, { [name]: value })
  else if (element instanceof SVGElement && !/^on|href/i.test(name)) element.setAttribute(name, String(value))
}
