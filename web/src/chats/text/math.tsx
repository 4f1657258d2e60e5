import katex from 'katex'
import { createElement, type ReactNode } from 'react'
import remarkMath from 'remark-math'

/** KaTeX's own tree of a formula, which contains no HTML of the author. */
interface MathNode {
  type?: string
  text?: string
  attributes?: Record<string, string>
  classes?: string[]
  children?: MathNode[]
  /** Set on spaces: width in em, and the character of that width if there is one. */
  width?: number
  character?: string | null
}

const { __renderToDomTree: toTree } = katex as unknown as {
  __renderToDomTree(formula: string, options: object): MathNode
}

/** The part of `remark-math` that reads `$$x$$`; a single dollar is mostly money. */
export const mathPlugin: [typeof remarkMath, { singleDollarTextMath: boolean }] = [
  remarkMath,
  { singleDollarTextMath: false },
]

/** Formula as MathML, which browsers draw themselves: no fonts, no styles. Invalid formulas are shown as text. */
export function Formula({ text, isBlock }: { text: string; isBlock: boolean }) {
  try {
    const tree = toTree(text, {
      output: 'mathml',
      displayMode: isBlock,
      trust: false,
      strict: 'ignore',
      maxExpand: 500,
    })
    return toReact(mathIn(tree) ?? tree, 0)
  } catch {
    return <code>{text}</code>
  }
}

const mathIn = (node: MathNode): MathNode | undefined =>
  node.type === 'math' ? node : node.children?.map(mathIn).find((found) => found !== undefined)

function toReact({ type, text, attributes = {}, children = [], ...space }: MathNode, key: number): ReactNode {
  if (space.character) return createElement('mtext', { key }, space.character)
  if (space.width !== undefined) return createElement('mspace', { key, width: `${space.width}em` })
  if (!type) return text
  // Copying and screen readers get the formula only once.
  if (type === 'annotation') return null
  const { style: _, class: __, ...rest } = attributes
  return createElement(type, { key, ...rest }, ...children.map(toReact))
}
