/** The marks that open a fenced code block (three or more backticks or tildes), or undefined. */
export function fenceOf(line: string): string | undefined {
  return /^\s{0,3}(`{3,}(?=[^`]*$)|~{3,})/.exec(line)?.[1]
}

const inlineCode = /(`{1,8})([^`]+)\1/g
const image = /!\[([^\][]*)\]\([^()\s]*(?:\s[^()]*)?\)/g
const link = /\[([^\][]*)\]\(([^()\s]*)(?:\s[^()]*)?\)/g
const referenceLink = /\[([^\][]+)\]\[[^\][]*\]/g
const autolink = /<((?:https?|mailto):[^<>\s]*)>/g
const tag = /<\/?[a-zA-Z][^<>]*>|<!--[^<>]*-->/g
const strong = /(\*\*|__|~~|==)(?=\S)([^*_~=]*[^\s*_~=])\1/g
const emphasis = /(?<![\p{L}\p{N}\\])([*_])(?=\S)([^*_]*[^\s*_])\1(?![\p{L}\p{N}])/gu
const escaped = /\\([!-/:-@[-`{-~])/g

/** The words of inline Markdown. A link keeps its address where its text says something else. */
export function plainInline(text: string): string {
  if (!/[`*_[<~=\\&]/.test(text)) return text.trim()
  const codes: string[] = []
  return text
    .replace(inlineCode, (_, _ticks, code: string) => `\u0000${codes.push(code.trim()) - 1}\u0000`)
    .replace(image, '$1')
    .replace(link, (_, words: string, url: string) =>
      url.startsWith('#') || url === words ? words : `${words} (${url})`,
    )
    .replace(referenceLink, '$1')
    .replace(autolink, '$1')
    .replace(tag, ' ')
    .replace(strong, '$2')
    .replace(emphasis, '$2')
    .replace(escaped, '$1')
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => entities[name] ?? ' ')
    .replace(/\u0000(\d+)\u0000/g, (_, index: string) => codes[Number(index)] ?? '')
    .replace(/[^\S\n]{2,}/g, ' ')
    .trim()
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
