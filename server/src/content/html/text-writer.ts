interface Line {
  text: string
  isMain: boolean
}

/**
 * Writes Markdown line by line. White space is folded, except in code that stands by itself; lines of the page's main
 * part are marked, so that they can be taken alone.
 */
export function createTextWriter() {
  const lines: Line[] = []
  let line = ''
  let linkStart: number | undefined
  let mains = 0
  /** Open lists: the number of the next item, or undefined where items have none. */
  const lists: { next: number | undefined }[] = []
  let mark = ''
  let quotes = 0
  let pre = 0
  const rows: { cells: number; headers: number; tables: number }[] = []
  /** Rows so far, of each open table. */
  const tables: number[] = []
  let isInCell = false

  const push = (text: string): void => {
    lines.push({ text, isMain: mains > 0 })
  }

  /** Ends the line, if there is any text in it. */
  function endLine(): void {
    const text = line.replace(/[ \t]+$/, '')
    line = ''
    linkStart = undefined
    if (text === '') return
    push('> '.repeat(quotes) + '  '.repeat(Math.max(0, lists.length - 1)) + mark + text)
    // Further lines of an item stand below its text.
    if (lists.length > 0) mark = ' '.repeat(mark.length)
  }

  function blank(): void {
    endLine()
    const last = lines.at(-1)
    if (last && last.text !== '') push('')
  }

  /** A new block; within a table's cell, a space. */
  function breakBlock(isWide: boolean): void {
    if (isInCell) text(' ')
    else if (isWide) blank()
    else endLine()
  }

  function text(raw: string): void {
    if (pre > 0) {
      const parts = raw.split('\n')
      for (const [index, part] of parts.entries()) {
        if (index > 0) {
          push(line)
          line = ''
        }
        line += part
      }
      return
    }
    const folded = raw.replace(/[\s\u00ad\u200b\ufeff]+/g, ' ')
    line += line === '' || line.endsWith(' ') ? folded.trimStart() : folded
  }

  function open(name: string, attributes: Record<string, string>): void {
    if (/^h[1-6]$/.test(name)) {
      breakBlock(true)
      if (!isInCell) line = `${'#'.repeat(Number(name[1]))} `
    } else if (name === 'ul' || name === 'ol') {
      breakBlock(lists.length === 0)
      lists.push({ next: name === 'ol' ? Number.parseInt(attributes.start ?? '1', 10) || 1 : undefined })
    } else if (name === 'li') {
      breakBlock(false)
      const list = lists.at(-1)
      mark = list?.next === undefined ? '- ' : `${list.next++}. `
    } else if (name === 'pre') {
      breakBlock(true)
      if (pre++ === 0) push('```')
    } else if (name === 'blockquote') {
      breakBlock(true)
      quotes++
    } else if (name === 'table') {
      isInCell = false
      breakBlock(tables.length === 0)
      tables.push(0)
    } else if (/^(?:tr|thead|tbody|tfoot)$/.test(name)) {
      endRow()
      if (name === 'tr') rows.push({ cells: 0, headers: 0, tables: tables.length })
    } else breakBlock(name === 'p' || name === 'section' || name === 'article' || name === 'figure' || name === 'dl')
  }

  function close(name: string): void {
    if (/^h[1-6]$/.test(name)) {
      if (/^#+ *$/.test(line)) line = ''
      breakBlock(true)
    } else if (name === 'ul' || name === 'ol') {
      breakBlock(false)
      lists.pop()
      mark = lists.length > 0 ? ' '.repeat(mark.length) : ''
      if (lists.length === 0) breakBlock(true)
    } else if (name === 'pre') {
      if (pre > 0 && --pre === 0) {
        if (line !== '') push(line)
        line = ''
        push('```')
        blank()
      }
    } else if (name === 'blockquote') {
      breakBlock(true)
      quotes = Math.max(0, quotes - 1)
    } else if (name === 'table') {
      endRow()
      tables.pop()
      if (tables.length === 0) blank()
    } else if (name === 'tr') endRow()
    else breakBlock(name === 'p' || name === 'dl')
  }

  /** Ends the row of the innermost table, if one is open: its end need not be written. */
  function endRow(): void {
    isInCell = false
    endLine()
    const row = rows.at(-1)?.tables === tables.length ? rows.pop() : undefined
    if (!row || tables.length === 0) return
    const count = tables.pop()! + 1
    tables.push(count)
    if (count === 1 && row.headers > 0 && row.headers === row.cells) push(Array(row.cells).fill('---').join(' | '))
  }

  return {
    text,
    open,
    close,
    lineBreak: () => (isInCell || pre > 0 ? text(pre > 0 ? '\n' : ' ') : endLine()),
    rule(): void {
      breakBlock(true)
      if (!isInCell) push('---')
    },
    code(): void {
      if (pre === 0) line += '`'
    },
    openLink(): void {
      if (linkStart === undefined) linkStart = line.length
    },
    /** The text since `openLink` becomes a link; without a text there is none. */
    closeLink(target: string): void {
      const start = linkStart
      linkStart = undefined
      if (start === undefined || pre > 0) return
      const said = line.slice(start).trim()
      if (said === '' || said === target) return
      const space = /^\s/.test(line.slice(start)) ? ' ' : ''
      line = `${line.slice(0, start)}${space}[${said.replaceAll(']', '\\]')}](${target.replaceAll(')', '%29')})`
    },
    cell(isHeader: boolean): void {
      const row = rows.at(-1)
      if (!row || tables.length === 0) return
      if (row.cells++ > 0) line = `${line.trimEnd()} | `
      if (isHeader) row.headers++
      isInCell = true
    },
    endCell(): void {
      isInCell = false
    },
    enterMain(): void {
      if (mains === 0) endLine()
      mains++
    },
    leaveMain(): void {
      if (mains === 1) endLine()
      mains = Math.max(0, mains - 1)
    },
    finish(): { all: string; main: string } {
      endLine()
      const textOf = (some: Line[]) =>
        some
          .map((one) => one.text)
          .join('\n')
          .replace(/\n{3,}/g, '\n\n')
          .trim()
      return { all: textOf(lines), main: textOf(lines.filter(({ isMain }) => isMain)) }
    },
  }
}
