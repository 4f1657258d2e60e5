const CODE = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`+[^`\n]*`+)/
const MAY_BE_MATH = /\$|\\\(|\\\[/

/** Whether a text may contain formulas, so that the renderer is worth loading. */
export const mayHoldMath = (markdown: string): boolean => MAY_BE_MATH.test(markdown)

/**
 * Rewrites the formulas of Markdown, `\(x\)`, `\[x\]` and `$x$`, as `$$x$$`, those of a line of their own as blocks. A
 * single dollar starts a formula only by pandoc's rule: no space inside of either, and no digit after the last. So
 * `$5 and $10` stays money. Code is not changed.
 */
export function normalizeMath(markdown: string): string {
  if (!mayHoldMath(markdown)) return markdown
  return markdown
    .split(CODE)
    .map((part, index) => (index % 2 === 1 ? part : normalizeText(part)))
    .join('')
}

const normalizeText = (text: string): string =>
  text
    .replaceAll(/^[ \t]*\$\$([^\n$]+)\$\$[ \t]*$/gm, (_, formula: string) => `\n$$\n${formula.trim()}\n$$\n`)
    .replaceAll(/\\\[([\s\S]+?)\\\]/g, (_, formula: string) => `\n$$\n${formula.trim()}\n$$\n`)
    .replaceAll(/\\\(([\s\S]+?)\\\)/g, (_, formula: string) => `$$${formula.trim()}$$`)
    .replaceAll(
      /(?<![\\$\w])\$(?![\s$])((?:[^$\n\\]|\\.)+?)(?<!\s)\$(?![\d$])/g,
      (_, formula: string) => `$$${formula}$$`,
    )
