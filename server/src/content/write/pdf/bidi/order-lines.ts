import { createRequire } from 'node:module'
import { onFirstUse } from '../../../../platform/concurrency/lazy.ts'
import { type EmbeddedFont, turnLigatures } from './ligatures.ts'
import { type Inline, type Line, orderLine } from './line-order.ts'

const require = createRequire(import.meta.url)

interface Layout {
  buildNextLine(node: unknown): Line<Inline & { font: EmbeddedFont }> | null
}

/**
 * Makes pdfmake put every line that it has filled in its order on paper. It has no place for that of its own, and what
 * stands in a line is known only where it breaks lines.
 */
export const orderLines = onFirstUse(() => {
  const layout: Layout = require('pdfmake/js/LayoutBuilder.js').default.prototype
  const { buildNextLine } = layout
  layout.buildNextLine = function (node) {
    const line = buildNextLine.call(this, node)
    if (!line) return line
    for (const { font, level } of line.inlines) if (level) turnLigatures(font)
    orderLine(line)
    return line
  }
})
