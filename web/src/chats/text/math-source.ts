const CODE = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`+[^`\n]*`+)/
const MAY_BE_MATH = /\$|\\\(|\\\[/

/** Whether a text may hold formulas, so that what renders them is worth fetching. */
export const mayHoldMath = (markdown: string): boolean => MAY_BE_MATH.test(markdown)

/**
 * Writes the formulas in Markdown, `\(x\)`, `\[x\]` and `$x$`, as `$$x$$`. A single dollar begins a formula only as
 * pandoc reads it: no space inside of either, and no digit behind the last. So `$5 and $10` stays money. Code stays as
 * it is.
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
    .replaceAll(/\\\[([\s\S]+?)\\\]/g, (_, formula: string) => `\n$$\n${formula.trim()}\n$$\n`)
    .replaceAll(/\\\(([\s\S]+?)\\\)/g, (_, formula: string) => `$$${formula.trim()}$$`)
    .replaceAll(
      /(?<![\\$\w])\$(?![\s$])((?:[^$\n\\]|\\.)+?)(?<!\s)\$(?![\d$])/g,
      (_, formula: string) => `$$${formula}$$`,
    )
