import { memo, useMemo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import remend from 'remend'
import { CitationChips } from './citation-chip.tsx'
import { blocksOf } from './markdown-blocks.ts'
import { remarkCitations } from './remark-citations.ts'

interface MarkdownProps {
  text: string
  /** While more comes, what is not closed yet (bold, code, links) is closed for it. */
  isStreaming?: boolean
}

/** Markdown of a model or a tool: no raw HTML, no images, and links only to the web, opened apart from this page. */
export function Markdown({ text, isStreaming = false }: MarkdownProps) {
  const blocks = useMemo(() => blocksOf(text), [text])
  return blocks.map((block, index) => (
    <Block
      // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only added at the end, and never change places.
      key={index}
      text={isStreaming && index === blocks.length - 1 ? closed(block) : block}
    />
  ))
}

const closed = (block: string) => remend(block, { links: false, images: false, katex: false, singleTilde: false })

const Block = memo(({ text }: { text: string }) => (
  <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS} urlTransform={webUrl}>
    {text}
  </ReactMarkdown>
))

const PLUGINS = [remarkGfm, remarkCitations]

/** Anything but http and https leads nowhere. */
const webUrl = (url: string) => (/^https?:\/\//i.test(url) ? url : undefined)

const COMPONENTS: Components = {
  a: ({ href, children }) =>
    href ? (
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  // An image of the model's choice would tell its host who reads this.
  img: ({ alt }) => <span className="text-muted">[image{alt ? `: ${alt}` : ''}]</span>,
  table: ({ children }) => (
    <div className="table-frame">
      <table>{children}</table>
    </div>
  ),
  input: ({ checked }) => <input type="checkbox" checked={checked} disabled className="mr-2 align-[-0.1em]" />,
  cite: ({ node }) => <CitationChips numbers={String(node?.properties.dataNumbers).split(',').map(Number)} />,
}
