export const PAGE_BYTES = 64 * 1024
/** Size with which QuickJS was compiled to begin: it cannot start in less. */
const FIRST_PAGES = 256
/** The allocator asks for 5% more than there is, rounded up, before it gives up on a block that is smaller. */
const LEAST_GROWTH = 0.06

export interface BoundedMemory {
  wasmMemory: WebAssembly.Memory
  /** Whether even small blocks have been refused. Refusing one large block alone does not fill the memory. */
  isFull(): boolean
}

/** Memory for QuickJS that never holds more. Its size alone does not tell whether it is full: the last steps of growth
 * may not fit. @param bytes 16 MB at least, the size at which QuickJS begins */
export function createBoundedMemory(bytes: number): BoundedMemory {
  const maximum = Math.max(FIRST_PAGES, Math.floor(bytes / PAGE_BYTES))
  const wasmMemory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum })
  const grow = wasmMemory.grow.bind(wasmMemory)
  let isFull = false
  wasmMemory.grow = (pages) => {
    try {
      return grow(pages)
    } catch (error) {
      isFull ||= pages <= Math.ceil((wasmMemory.buffer.byteLength / PAGE_BYTES) * LEAST_GROWTH)
      throw error
    }
  }
  return { wasmMemory, isFull: () => isFull }
}
