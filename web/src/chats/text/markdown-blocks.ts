const FENCE = /^ {0,3}(`{3,}|~{3,})/
/** First line of a list item, or a line that may become one when the rest of it arrives. */
const ITEM = /^ {0,3}(?:[-*+](?:\s|$)|\d{1,9}(?:$|[.)](?:\s|$)))/

/**
 * Splits Markdown at blank lines; lists and fenced code stay whole. While an answer streams in, only its last block
 * changes and is parsed again.
 */
export function splitMarkdown(markdown: string): string[] {
  const blocks: string[] = []
  let block: string[] = []
  let fence = ''
  let isAfterBlank = false
  for (const line of markdown.split('\n')) {
    const belongsToList =
      ITEM.test(block.find((one) => one.trim() !== '') ?? '') && (/^\s/.test(line) || ITEM.test(line))
    if (isAfterBlank && !fence && line.trim() !== '' && !belongsToList) {
      blocks.push(block.join('\n'))
      block = []
    }
    const mark = FENCE.exec(line)?.[1]
    if (mark && !fence) fence = mark
    else if (mark && fence && mark.startsWith(fence) && line.trim() === mark) fence = ''
    isAfterBlank = line.trim() === ''
    block.push(line)
  }
  if (block.some((line) => line.trim() !== '')) blocks.push(block.join('\n'))
  return blocks
}
