import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { SourceFile } from './extraction.ts'

const HEAD_BYTES = 64 * 1024

/** Reads what every extractor gets of a file; at once, because a parser's process has nothing else to do. */
export function openSource(path: string, name: string): SourceFile {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const head = Buffer.alloc(Math.min(size, HEAD_BYTES))
    let filled = 0
    while (filled < head.length) {
      const bytesRead = readSync(file, head, filled, head.length - filled, filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return { path, name, sizeBytes: size, head: head.subarray(0, filled) }
  } finally {
    closeSync(file)
  }
}
