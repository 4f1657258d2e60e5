const CODE = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`+[^`\n]*`+)/
/** Longer ones are no formula that somebody forgot to end. */
const FORMULA = [
  /\\\[([^`]{1,2000}?)\\\]/g,
  /\\\(([^`]{1,2000}?)\\\)/g,
  /\$\$([^`$]{1,2000}?)\$\$/g,
  // A single dollar begins one by pandoc's rule: "$5 and $10" stays money.
  /(?<![\\$\w])\$(?![\s$])((?:[^$\n\\`]|\\.){1,500}?)(?<!\s)\$(?![\d$])/g,
]
/** Signs that tell a formula from brackets or dollars that were only escaped. */
const IS_TEX = /[\\^_=<>+*/]|^\s*\p{L}\s*$/u

/**
 * Writes the formulas of Markdown as code, in TeX: documents do not set them, and Markdown would take backslashes and
 * underscores out of them.
 */
export function formulasAsCode(markdown: string): string {
  if (!/[$\\]/.test(markdown)) return markdown
  return markdown
    .split(CODE)
    .map((part, index) => (index % 2 === 1 ? part : FORMULA.reduce(withCode, part)))
    .join('')
}

const withCode = (text: string, formula: RegExp): string =>
  text.replaceAll(formula, (whole, tex: string) =>
    IS_TEX.test(tex) ? `\`${tex.replaceAll(/\s+/g, ' ').trim()}\`` : whole,
  )
