import { memo, useMemo } from 'react'
import type { Components } from 'react-markdown'
import remend from 'remend'
import { SafeMarkdown } from '../ui/safe-markdown.tsx'
import { CitationChips } from './citation-chip.tsx'
import { blocksOf } from './markdown-blocks.ts'
import { remarkCitations } from './remark-citations.ts'

interface MarkdownProps {
  text: string
  /** While more comes, what is not closed yet (bold, code, links) is closed for it. */
  isStreaming?: boolean
}

/** Markdown of a model or a tool, with chips in the place of `[1]`. */
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
  <SafeMarkdown text={text} plugins={PLUGINS} components={COMPONENTS} />
))

const PLUGINS = [remarkCitations]

const COMPONENTS: Components = {
  cite: ({ node }) => <CitationChips numbers={String(node?.properties.dataNumbers).split(',').map(Number)} />,
}
