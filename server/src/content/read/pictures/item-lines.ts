import type { TextItem } from '@llamaindex/liteparse'

/** Items that stand beside each other, from the top of the page down. */
export function linesOf(items: TextItem[]): TextItem[][] {
  const lines: TextItem[][] = []
  for (const item of items.filter((one) => one.text.trim()).sort((a, b) => a.y - b.y)) {
    const line = lines.at(-1)
    if (line && Math.abs(line[0]!.y - item.y) < Math.max(4, item.height * 0.6)) line.push(item)
    else lines.push([item])
  }
  return lines
}

/** Text of one line, from left to right. */
export function lineText(line: TextItem[]): string {
  return [...line]
    .sort((a, b) => a.x - b.x)
    .map((item) => item.text.trim())
    .join(' ')
    .trim()
}

/** Text of items, line by line, with an empty line where paragraphs are apart. */
export function textOf(items: TextItem[]): string {
  let before: TextItem | undefined
  return linesOf(items)
    .map((line) => {
      const isApart = before && line[0]!.y - before.y > before.height * 2.5
      before = line[0]!
      return (isApart ? '\n' : '') + lineText(line)
    })
    .join('\n')
}
