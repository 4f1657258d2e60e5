interface Line {
  text: string
  isMain: boolean
}

/**
 * Writes Markdown line by line. White space is folded, except in code that stands by itself; lines of the page's main
 * part are marked, so that they can be taken alone.
 */
export class TextWriter {
  readonly #lines: Line[] = []
  #line = ''
  #linkStart: number | undefined
  #mains = 0
  /** Open lists: the number of the next item, or undefined where items have none. */
  readonly #lists: { next: number | undefined }[] = []
  #mark = ''
  #quotes = 0
  #pre = 0
  readonly #rows: { cells: number; headers: number; tables: number }[] = []
  /** Rows so far, of each open table. */
  readonly #tables: number[] = []
  #isInCell = false

  text(raw: string): void {
    if (this.#pre > 0) {
      const parts = raw.split('\n')
      for (const [index, part] of parts.entries()) {
        if (index > 0) {
          this.#push(this.#line)
          this.#line = ''
        }
        this.#line += part
      }
      return
    }
    const folded = raw.replace(/[\s\u00ad\u200b\ufeff]+/g, ' ')
    this.#line += this.#line === '' || this.#line.endsWith(' ') ? folded.trimStart() : folded
  }

  open(name: string, attributes: Record<string, string>): void {
    if (/^h[1-6]$/.test(name)) {
      this.#breakBlock(true)
      if (!this.#isInCell) this.#line = `${'#'.repeat(Number(name[1]))} `
    } else if (name === 'ul' || name === 'ol') {
      this.#breakBlock(this.#lists.length === 0)
      this.#lists.push({ next: name === 'ol' ? Number.parseInt(attributes.start ?? '1', 10) || 1 : undefined })
    } else if (name === 'li') {
      this.#breakBlock(false)
      const list = this.#lists.at(-1)
      this.#mark = list?.next === undefined ? '- ' : `${list.next++}. `
    } else if (name === 'pre') {
      this.#breakBlock(true)
      if (this.#pre++ === 0) this.#push('```')
    } else if (name === 'blockquote') {
      this.#breakBlock(true)
      this.#quotes++
    } else if (name === 'table') {
      this.#isInCell = false
      this.#breakBlock(this.#tables.length === 0)
      this.#tables.push(0)
    } else if (/^(?:tr|thead|tbody|tfoot)$/.test(name)) {
      this.#endRow()
      if (name === 'tr') this.#rows.push({ cells: 0, headers: 0, tables: this.#tables.length })
    } else
      this.#breakBlock(name === 'p' || name === 'section' || name === 'article' || name === 'figure' || name === 'dl')
  }

  close(name: string): void {
    if (/^h[1-6]$/.test(name)) {
      if (/^#+ *$/.test(this.#line)) this.#line = ''
      this.#breakBlock(true)
    } else if (name === 'ul' || name === 'ol') {
      this.#breakBlock(false)
      this.#lists.pop()
      this.#mark = this.#lists.length > 0 ? ' '.repeat(this.#mark.length) : ''
      if (this.#lists.length === 0) this.#breakBlock(true)
    } else if (name === 'pre') {
      if (this.#pre > 0 && --this.#pre === 0) {
        if (this.#line !== '') this.#push(this.#line)
        this.#line = ''
        this.#push('```')
        this.#blank()
      }
    } else if (name === 'blockquote') {
      this.#breakBlock(true)
      this.#quotes = Math.max(0, this.#quotes - 1)
    } else if (name === 'table') {
      this.#endRow()
      this.#tables.pop()
      if (this.#tables.length === 0) this.#blank()
    } else if (name === 'tr') this.#endRow()
    else this.#breakBlock(name === 'p' || name === 'dl')
  }

  lineBreak() {
    return this.#isInCell || this.#pre > 0 ? this.text(this.#pre > 0 ? '\n' : ' ') : this.#endLine()
  }

  rule(): void {
    this.#breakBlock(true)
    if (!this.#isInCell) this.#push('---')
  }

  code(): void {
    if (this.#pre === 0) this.#line += '`'
  }

  openLink(): void {
    if (this.#linkStart === undefined) this.#linkStart = this.#line.length
  }

  /** The text since `openLink` becomes a link; without a text there is none. */
  closeLink(target: string): void {
    const start = this.#linkStart
    this.#linkStart = undefined
    if (start === undefined || this.#pre > 0) return
    const said = this.#line.slice(start).trim()
    if (said === '' || said === target) return
    const space = /^\s/.test(this.#line.slice(start)) ? ' ' : ''
    this.#line = `${this.#line.slice(0, start)}${space}[${said.replaceAll(']', '\\]')}](${target.replaceAll(')', '%29')})`
  }

  cell(isHeader: boolean): void {
    const row = this.#rows.at(-1)
    if (!row || this.#tables.length === 0) return
    if (row.cells++ > 0) this.#line = `${this.#line.trimEnd()} | `
    if (isHeader) row.headers++
    this.#isInCell = true
  }

  endCell(): void {
    this.#isInCell = false
  }

  enterMain(): void {
    if (this.#mains === 0) this.#endLine()
    this.#mains++
  }

  leaveMain(): void {
    if (this.#mains === 1) this.#endLine()
    this.#mains = Math.max(0, this.#mains - 1)
  }

  finish(): { all: string; main: string } {
    this.#endLine()
    const textOf = (some: Line[]) =>
      some
        .map((one) => one.text)
        .join('\n')
        .replace(/\n{3,}/g, '\n\n')
        .trim()
    return { all: textOf(this.#lines), main: textOf(this.#lines.filter(({ isMain }) => isMain)) }
  }

  #push(text: string): void {
    this.#lines.push({ text, isMain: this.#mains > 0 })
  }

  /** Ends the line, if there is any text in it. */
  #endLine(): void {
    const text = this.#line.replace(/[ \t]+$/, '')
    this.#line = ''
    this.#linkStart = undefined
    if (text === '') return
    this.#push('> '.repeat(this.#quotes) + '  '.repeat(Math.max(0, this.#lists.length - 1)) + this.#mark + text)
    // Further lines of an item are below its text.
    if (this.#lists.length > 0) this.#mark = ' '.repeat(this.#mark.length)
  }

  #blank(): void {
    this.#endLine()
    const last = this.#lines.at(-1)
    if (last && last.text !== '') this.#push('')
  }

  /** A new block; within a table's cell, a space. */
  #breakBlock(isWide: boolean): void {
    if (this.#isInCell) this.text(' ')
    else if (isWide) this.#blank()
    else this.#endLine()
  }

  /** Ends the row of the innermost table, if one is open: its end need not be written. */
  #endRow(): void {
    this.#isInCell = false
    this.#endLine()
    const row = this.#rows.at(-1)?.tables === this.#tables.length ? this.#rows.pop() : undefined
    if (!row || this.#tables.length === 0) return
    const count = this.#tables.pop()! + 1
    this.#tables.push(count)
    if (count === 1 && row.headers > 0 && row.headers === row.cells)
      this.#push(Array(row.cells).fill('---').join(' | '))
  }
}
