const FENCE = /^ {0,3}(`{3,}|~{3,})/
/** A line that may belong to what stands above a blank line: indented, or the next item of a list. */
const CONTINUES = /^(?:\s|[-*+]\s|\d{1,9}[.)]\s)/

/**
 * Cuts Markdown at blank lines where nothing above and below belongs together. While an answer streams in only its
 * last block changes, so that only this one is parsed again.
 */
export function blocksOf(markdown: string): string[] {
  const blocks: string[] = []
  let block: string[] = []
  let fence = ''
  let isAfterBlank = false
  for (const line of markdown.split('\n')) {
    if (isAfterBlank && !fence && line !== '' && !CONTINUES.test(line)) {
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
