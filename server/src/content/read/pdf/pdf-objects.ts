import { createReadStream } from 'node:fs'

const READ_BYTES = 1024 * 1024
/** An object by itself, or the dictionary of a stream that holds several, which says how many. */
const OBJECT = /\d\s+\d{1,5}\s+obj\b|\/ObjStm\b|\/N\s+\d{1,7}\b/g
/** Longer than any match, so that one over the end of a piece is seen. */
const OVERLAP = 64

/**
 * Number of objects that a PDF holds, or more: every page is one, so that a file that names more pages than this names
 * some of them several times, or says it has pages that are not there.
 */
export async function countPdfObjects(path: string): Promise<number> {
  let count = 0
  let rest = ''
  for await (const bytes of createReadStream(path, { highWaterMark: READ_BYTES })) {
    const text = rest + (bytes as Buffer).toString('latin1')
    const end = text.length - OVERLAP
    let last = 0
    for (const { 0: found, index } of text.matchAll(OBJECT)) {
      if (index >= end) break
      count += found.startsWith('/N') ? Number(found.slice(2)) : 1
      last = index + found.length
    }
    rest = text.slice(Math.max(end, last))
  }
  for (const { 0: found } of rest.matchAll(OBJECT)) count += found.startsWith('/N') ? Number(found.slice(2)) : 1
  return count
}
