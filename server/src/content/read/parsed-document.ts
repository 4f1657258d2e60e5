/** Position of a passage in its document, as far as the format tells. Pages, rows and lines count from 1. */
export interface Location {
  page?: number
  /** Slide, for presentations. */
  slide?: number
  /** Titles of the enclosing headings, outermost first. */
  heading_path?: string[]
  sheet?: string
  row_start?: number
  row_end?: number
  line_start?: number
  line_end?: number
  /** Seconds from the beginning, for what is heard. */
  time_start?: number
  time_end?: number
  /** File name of the attachment that the passage comes from, for e-mails. */
  attachment?: string
  /** Whether somebody gave it its text, or added it; and the id of that change. */
  by_hand?: 'edited' | 'added'
  edit_id?: string
}

/** A parsed file: its text in reading order, in blocks that a chunk never mixes up. */
export interface ParsedDocument {
  /** Short name of the format that the content turned out to have: `pdf`, `docx`, `csv`, `text`, ... */
  format: string
  /** Title that the document gives itself. */
  title?: string
  blocks: Block[]
}

export type Block =
  | { kind: 'heading'; level: number; text: string; location: Location }
  | { kind: 'paragraph'; text: string; location: Location }
  | { kind: 'code'; text: string; location: Location }
  | { kind: 'table'; header: string[]; rows: string[][]; location: Location }

/** A passage as it is indexed and cited. */
export interface Chunk {
  /** Place in the document, from 0. */
  ordinal: number
  text: string
  location: Location
}
