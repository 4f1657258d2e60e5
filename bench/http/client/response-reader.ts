/** Callbacks of a reader of responses, in the order of the response. */
export interface ResponseParts {
  head(status: number): void
  body(chunk: Buffer): void
  end(): void
}

/**
 * Reads HTTP/1.1 responses of one connection from its bytes: only what our two servers send (a length or chunks), and
 * with as little work as possible, so that the client takes little of the processors that the servers need.
 */
export function createResponseReader(parts: ResponseParts): (bytes: Buffer) => void {
  let state: 'head' | 'length' | 'chunk-size' | 'chunk' | 'chunk-end' = 'head'
  let held: Buffer | undefined
  let left = 0

  /** Reads one step. @returns how many bytes it took, or 0 when it needs more. */
  function step(bytes: Buffer): number {
    if (state === 'head') return readHead(bytes)
    if (state === 'chunk-size') return readChunkSize(bytes)
    if (state === 'chunk-end') {
      if (bytes.length < 2) return 0
      state = 'chunk-size'
      return 2
    }
    const piece = bytes.length <= left ? bytes : bytes.subarray(0, left)
    left -= piece.length
    if (piece.length > 0) parts.body(piece)
    if (left === 0 && state === 'chunk') state = 'chunk-end'
    else if (left === 0) finish()
    return piece.length
  }

  function readHead(bytes: Buffer): number {
    const end = bytes.indexOf('\r\n\r\n')
    if (end < 0) return 0
    const head = bytes.toString('latin1', 0, end).toLowerCase()
    parts.head(Number(head.slice(9, 12)))
    const [, length] = /\r\ncontent-length: *(\d+)/.exec(head) ?? []
    if (length === undefined && !head.includes('\r\ntransfer-encoding: chunked')) {
      throw new Error(`a response without a length: ${head}`)
    }
    left = Number(length ?? 0)
    state = length === undefined ? 'chunk-size' : 'length'
    if (length === '0') finish()
    return end + 4
  }

  function readChunkSize(bytes: Buffer): number {
    const end = bytes.indexOf('\r\n')
    if (end < 0) return 0
    left = Number.parseInt(bytes.toString('latin1', 0, end), 16)
    if (left > 0) {
      state = 'chunk'
      return end + 2
    }
    // The last chunk, and the empty line after it.
    if (bytes.length < end + 4) return 0
    finish()
    return end + 4
  }

  function finish(): void {
    state = 'head'
    parts.end()
  }

  return (bytes) => {
    let rest = held ? Buffer.concat([held, bytes]) : bytes
    held = undefined
    while (rest.length > 0) {
      const taken = step(rest)
      if (taken === 0) {
        held = rest
        return
      }
      rest = rest.subarray(taken)
    }
  }
}
