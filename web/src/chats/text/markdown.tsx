import { type ComponentType, memo, useMemo } from 'react'
import type { Components, ExtraProps, Options } from 'react-markdown'
import { onDemand } from '../../platform/state/on-demand.ts'
import { SafeMarkdown } from '../../ui/markdown/safe-markdown.tsx'
import { CitationChips } from '../sources/citation-chip.tsx'
import { CodeBlock } from './code-block.tsx'
import { splitMarkdown } from './markdown-blocks.ts'
import { mayHoldMath, normalizeMath } from './math-source.ts'
import { remarkCitations } from './remark-citations.ts'
import { remarkRefusedPictures } from './remark-refused-pictures.ts'

interface MarkdownProps {
  text: string
  /** Closes open Markdown (bold, code, links) while the text streams in. */
  isStreaming?: boolean
}

/** Markdown of a model or a tool, with citation chips in place of `[1]`. */
export function Markdown({ text, isStreaming = false }: MarkdownProps) {
  const math = useMath(mayHoldMath(text))
  const mend = useMend(isStreaming)
  const blocks = useMemo(() => splitMarkdown(math ? normalizeMath(text) : text), [text, math])
  return blocks.map((block, index) => (
    <Block
      // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only added at the end, and never change places.
      key={index}
      text={mend && index === blocks.length - 1 ? mend(block) : block}
      math={math}
    />
  ))
}

const Block = memo(({ text, math }: { text: string; math: MathPart | null }) => (
  <SafeMarkdown text={text} plugins={math ? math.plugins : PLUGINS} components={math ? math.components : COMPONENTS} />
))

const PLUGINS: NonNullable<Options['remarkPlugins']> = [remarkRefusedPictures, remarkCitations]

const COMPONENTS: Components = {
  cite: ({ node }) => <CitationChips numbers={String(node?.properties.dataNumbers).split(',').map(Number)} />,
  pre: ({ node }) => {
    const { text, language } = codeIn(node)
    return <CodeBlock code={text.replace(/\n$/, '')} language={language} />
  },
}

interface MathPart {
  plugins: NonNullable<Options['remarkPlugins']>
  components: Components
}

/** Renderer of formulas, for texts that have some. */
const useMath = onDemand<MathPart>(async () => {
  const { Formula, mathPlugin } = await import('./math.tsx')
  return { plugins: [mathPlugin, remarkRefusedPictures, remarkCitations], components: componentsWith(Formula) }
})

/** Closes open Markdown (bold, code) at the end of a text that still grows. */
const useMend = onDemand(async () => {
  const { default: remend } = await import('remend')
  return (block: string) => remend(block, { links: false, images: false, katex: false, singleTilde: false })
})

const componentsWith = (Formula: ComponentType<{ text: string; isBlock: boolean }>): Components => ({
  ...COMPONENTS,
  // remark-math marks formulas as code with a class.
  code: ({ className, children }) =>
    className?.includes('math-inline') ? (
      <Formula text={String(children)} isBlock={false} />
    ) : (
      <code className={className}>{children}</code>
    ),
  pre: ({ node }) => {
    const { text, language, isMath } = codeIn(node)
    if (!isMath) return <CodeBlock code={text.replace(/\n$/, '')} language={language} />
    return (
      <div className="formula">
        <Formula text={text} isBlock />
      </div>
    )
  },
})

function codeIn(node: ExtraProps['node']) {
  const code = node?.children[0]
  const element = code?.type === 'element' ? code : undefined
  const classes = ((element?.properties.className as string[] | undefined) ?? []).map(String)
  const text = element?.children.map((child) => (child.type === 'text' ? child.value : '')).join('') ?? ''
  const language = classes.find((name) => name.startsWith('language-'))?.slice('language-'.length) ?? null
  return { text, language: language === 'math' ? null : language, isMath: classes.includes('math-display') }
}
