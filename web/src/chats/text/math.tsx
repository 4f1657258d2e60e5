import katex from 'katex'
import { createElement, type ReactNode } from 'react'
import remarkMath from 'remark-math'

/** What KaTeX makes of a formula before it becomes text: its own tree, which has no HTML of the writer's in it. */
interface MathNode {
  type?: string
  text?: string
  attributes?: Record<string, string>
  classes?: string[]
  children?: MathNode[]
}

const { __renderToDomTree: toTree } = katex as unknown as {
  __renderToDomTree(formula: string, options: object): MathNode
}

/** The part of `remark-math` that reads `$$x$$`; a single dollar is money more often than not. */
export const mathPlugin: [typeof remarkMath, { singleDollarTextMath: boolean }] = [
  remarkMath,
  { singleDollarTextMath: false },
]

/** A formula as MathML, which browsers draw themselves: no fonts to fetch, no styles. What is no formula is shown as it was written. */
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

function toReact({ type, text, attributes = {}, children = [] }: MathNode, key: number): ReactNode {
  if (!type) return text
  // Whoever copies or hears it gets the formula once.
  if (type === 'annotation') return null
  const { style: _, class: __, ...rest } = attributes
  return createElement(type, { key, ...rest }, ...children.map(toReact))
}
