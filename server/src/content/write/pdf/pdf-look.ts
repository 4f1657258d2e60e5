import type { Missing } from '../fonts/font-runs.ts'
import type { Direction } from './bidi/direction.ts'

/** Space that a part of a document is laid out in. */
export interface PdfRoom {
  /** Points for the text. */
  width: number
  height: number
  missing: Missing
  /** Direction of the list, quote or table around it. */
  direction?: Direction
}

/** Colours of rules and of what is behind headers and code. */
export const LINE = '#d5dae1'
export const SHADE = '#f4f6f8'
/** Points below a paragraph. */
export const AFTER = 7
