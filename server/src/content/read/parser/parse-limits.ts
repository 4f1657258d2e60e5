/** How much one file may cost before it is given up. */
export interface ParseLimits {
  /** Time for a file, without its pages. */
  baseMs: number
  /** Time that each page adds once it is done. Text counts a page for each 64 KiB, a scanned page counts as five. */
  perPageMs: number
  /** Time for a file, whatever number of pages it says that it has; and processor time of the child process. */
  mostMs: number
  /** Heap of the child process. */
  heapMb: number
  /** Memory of the child process in all, with that of native code. */
  rssMb: number
  htmlBytes: number
  /** Packed size of documents that are archives, and of RTF and e-mails. */
  officeBytes: number
  /** Size of such a document when unpacked. */
  expandedBytes: number
  /** Size in bytes above which JSON is read as lines of text. */
  jsonBytes: number
  imageMegapixels: number
  pages: number
  /** How deep e-mails may be in e-mails. */
  attachmentDepth: number
  attachments: number
}

const MiB = 1024 * 1024

export const defaultParseLimits: ParseLimits = {
  baseMs: 60_000,
  perPageMs: 1_000,
  mostMs: 30 * 60_000,
  heapMb: 1_024,
  rssMb: 1_536,
  htmlBytes: 10 * MiB,
  officeBytes: 50 * MiB,
  expandedBytes: 256 * MiB,
  jsonBytes: 16 * MiB,
  imageMegapixels: 100,
  pages: 10_000,
  attachmentDepth: 3,
  attachments: 100,
}

/** Bytes of plain text that count as a page. */
export const TEXT_PAGE_BYTES = 64 * 1024
/** Recognising the text of a page takes one to three seconds. */
export const OCR_PAGE_WEIGHT = 5
