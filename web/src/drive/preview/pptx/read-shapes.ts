import type { CSSProperties } from 'react'
import { colourIn, type Parts } from './parts.ts'
import { readChart } from './read-chart.ts'
import { formOf } from './shape-form.ts'

/** Place on a slide, in EMU. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

export interface Run {
  text: string
  isBold: boolean
  isItalic: boolean
  colour: string | undefined
  /** Size in points; undefined: the usual one of the shape. */
  size: number | undefined
}

export interface Paragraph {
  runs: Run[]
  /** Depth in a list, from 0; undefined: no list. */
  level: number | undefined
  /** Dot or number before an entry of a list. */
  mark: string
  align: 'start' | 'center' | 'end'
}

export interface Cell {
  fill: string | undefined
  paragraphs: Paragraph[]
}

export type Shape = {
  /** Undefined: the presentation does not say where. */
  box: Box | undefined
} & (
  | {
      kind: 'text'
      role: 'title' | 'body' | 'other'
      fill: string | undefined
      form: CSSProperties | undefined
      /** Part of its height where the text stands. */
      anchor: 'start' | 'center' | 'end'
      paragraphs: Paragraph[]
    }
  | { kind: 'table'; rows: Cell[][] }
  | { kind: 'picture'; url: string; name: string }
)

/** Shapes of a slide, the rearmost first. @param boxOf place of a shape */
export function readShapes(slide: Document, parts: Parts, boxOf: (shape: Element) => Box | undefined): Shape[] {
  const tree = slide.getElementsByTagName('p:spTree')[0]
  return tree ? [...tree.children].flatMap((shape) => readShape(shape, parts, boxOf)) : []
}

function readShape(shape: Element, parts: Parts, boxOf: (shape: Element) => Box | undefined): Shape[] {
  if (shape.tagName === 'p:grpSp') {
    const inside = insideOf(shape, boxOf(shape))
    const boxIn = (one: Element) => inside(boxOf(one))
    return [...shape.children].flatMap((one) => readShape(one, parts, boxIn))
  }
  const box = boxOf(shape)
  if (shape.tagName === 'p:pic') {
    const url = parts.pictureUrl(shape.getElementsByTagName('a:blip')[0]?.getAttribute('r:embed') ?? '')
    const about = shape.getElementsByTagName('p:cNvPr')[0]
    return url ? [{ kind: 'picture', box, url, name: about?.getAttribute('descr') ?? '' }] : []
  }
  if (shape.tagName === 'p:graphicFrame') {
    const rows = readRows(shape, parts)
    return rows.length > 0 ? [{ kind: 'table', box, rows }] : []
  }
  if (shape.tagName !== 'p:sp') return []
  const role = roleOf(shape)
  if (role === undefined) return []
  const fill = fillOf(shape.getElementsByTagName('p:spPr')[0], parts)
  const paragraphs = readParagraphs(shape, parts, role === 'body')
  const set = shape.getElementsByTagName('a:bodyPr')[0]?.getAttribute('anchor') ?? ''
  const anchor = ({ ctr: 'center', b: 'end' } as const)[set] ?? 'start'
  const read: Shape = { kind: 'text', role, box, fill, form: formOf(shape), anchor, paragraphs }
  return paragraphs.length > 0 || fill ? [read] : []
}

/** Colour that fills a shape or a cell. */
function fillOf(look: Element | undefined, { theme }: Parts): string | undefined {
  const filled = [...(look?.children ?? [])].find(({ tagName }) => tagName === 'a:solidFill')
  return filled && colourIn(filled, theme)
}

/** Rows of a table, or of the values of a chart. */
function readRows(frame: Element, parts: Parts): Cell[][] {
  const chartId = frame.getElementsByTagName('c:chart')[0]?.getAttribute('r:id')
  const chart = chartId && parts.xml(chartId)
  if (chart) return readChart(chart).map((row, at) => row.map((text) => cellOf(text, at === 0)))
  return [...frame.getElementsByTagName('a:tr')].map((row) =>
    [...row.getElementsByTagName('a:tc')].map((cell) => ({
      fill: fillOf(cell.getElementsByTagName('a:tcPr')[0], parts),
      paragraphs: readParagraphs(cell, parts, false),
    })),
  )
}

function cellOf(text: string, isBold: boolean): Cell {
  const run: Run = { text, isBold, isItalic: false, colour: undefined, size: undefined }
  return { fill: undefined, paragraphs: [{ runs: [run], align: 'start', level: undefined, mark: '' }] }
}

/** Undefined: a date, a footer or a number of the slide. */
function roleOf(shape: Element): 'title' | 'body' | 'other' | undefined {
  const holder = shape.getElementsByTagName('p:ph')[0]
  if (!holder) return 'other'
  const type = holder.getAttribute('type') ?? 'body'
  if (/^(dt|ftr|sldNum|hdr)$/.test(type)) return undefined
  if (/title$/i.test(type)) return type === 'subTitle' ? 'other' : 'title'
  return 'body'
}

function readParagraphs(shape: Element, { theme }: Parts, isList: boolean): Paragraph[] {
  // Numbers of the list that a paragraph continues with, by its depth.
  const numbers: number[] = []
  const paragraphs = [...shape.getElementsByTagName('a:p')].map((paragraph): Paragraph => {
    const look = paragraph.getElementsByTagName('a:pPr')[0]
    const level = Number(look?.getAttribute('lvl') ?? 0) || 0
    const isNumbered = look?.getElementsByTagName('a:buAutoNum')[0] !== undefined
    numbers.length = isNumbered ? level + 1 : Math.min(numbers.length, level)
    if (isNumbered) numbers[level] = (numbers[level] ?? 0) + 1
    const isMarked =
      isNumbered || look?.getElementsByTagName('a:buChar')[0] || (isList && !look?.getElementsByTagName('a:buNone')[0])
    const align = ({ ctr: 'center', r: 'end' } as const)[look?.getAttribute('algn') ?? ''] ?? 'start'
    const runs = [...paragraph.children].flatMap((part) => readRun(part, theme))
    const mark = isNumbered ? `${numbers[level]}.` : '•'
    return { runs, align, level: isMarked && runs.length > 0 ? level : undefined, mark }
  })
  return paragraphs.some(({ runs }) => runs.length > 0) ? paragraphs : []
}

function readRun(part: Element, theme: Record<string, string>): Run[] {
  if (part.tagName === 'a:br')
    return [{ text: '\n', isBold: false, isItalic: false, colour: undefined, size: undefined }]
  if (part.tagName !== 'a:r' && part.tagName !== 'a:fld') return []
  const look = part.getElementsByTagName('a:rPr')[0]
  const text = part.getElementsByTagName('a:t')[0]?.textContent ?? ''
  const size = Number(look?.getAttribute('sz')) / 100 || undefined
  const [isBold, isItalic] = ['b', 'i'].map((name) => /^(1|true)$/.test(look?.getAttribute(name) ?? ''))
  const fill = look?.getElementsByTagName('a:solidFill')[0]
  return text ? [{ text, isBold: isBold!, isItalic: isItalic!, colour: fill && colourIn(fill, theme), size }] : []
}

/** Place that a shape has by itself. */
export function readBox(shape: Element): Box | undefined {
  const own = shape.querySelector(':scope > spPr > xfrm, :scope > grpSpPr > xfrm, :scope > xfrm')
  return own ? boxIn(own, 'off', 'ext') : undefined
}

function boxIn(xfrm: Element, at: string, size: string): Box | undefined {
  const number = (tag: string, name: string) => Number(xfrm.getElementsByTagName(`a:${tag}`)[0]?.getAttribute(name))
  const box = { x: number(at, 'x'), y: number(at, 'y'), width: number(size, 'cx'), height: number(size, 'cy') }
  return Object.values(box).every(Number.isFinite) ? box : undefined
}

/** Place that the layout gives to a placeholder, or the master behind it. */
export function findLayoutBox(shape: Element, behind: Document[]): Box | undefined {
  const holder = shape.getElementsByTagName('p:ph')[0]
  if (!holder) return undefined
  const [type, number] = [holder.getAttribute('type') ?? 'body', holder.getAttribute('idx')]
  for (const part of behind) {
    const holders = [...part.getElementsByTagName('p:ph')]
    const same = (one: Element) => kindOf(one.getAttribute('type') ?? 'body') === kindOf(type)
    const found = holders.find((one) => number !== null && one.getAttribute('idx') === number) ?? holders.find(same)
    const box = found && readBox(found.closest('sp')!)
    if (box) return box
  }
  return undefined
}

const kindOf = (type: string): string => (type === 'ctrTitle' ? 'title' : type)

/** Maps places inside a group to the slide. */
function insideOf(group: Element, outer: Box | undefined): (box: Box | undefined) => Box | undefined {
  const own = group.querySelector(':scope > grpSpPr > xfrm')
  const inner = own ? boxIn(own, 'chOff', 'chExt') : undefined
  if (!outer || !inner || inner.width === 0 || inner.height === 0) return (box) => box
  const [wide, high] = [outer.width / inner.width, outer.height / inner.height]
  return (box) =>
    box && {
      x: outer.x + (box.x - inner.x) * wide,
      y: outer.y + (box.y - inner.y) * high,
      width: box.width * wide,
      height: box.height * high,
    }
}
