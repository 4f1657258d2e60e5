import { DocentError } from '../http/errors.ts'
import { BrokenStreamError, readEvents } from '../http/event-stream.ts'
import type { CallOptions, Transport } from '../http/transport.ts'
import type { FileHappened, FileReset, FolderEvent } from '../types.ts'

export interface FollowOptions extends CallOptions {
  /** Number of the last event that was read; default: from now on. */
  after?: number
  /** Called when a connection is open: what happens from now on comes. */
  onOpen?: () => void
}

/** Follows a folder, and connects again after the last event whenever the connection ends. */
export async function* followFolder(
  transport: Transport,
  folderId: string,
  { after, onOpen, ...options }: FollowOptions,
): AsyncGenerator<FileHappened | FileReset> {
  for (let last = after; ; ) {
    const headers = { ...options.headers, ...(last !== undefined && { 'last-event-id': String(last) }) }
    const given = { ...options, headers }
    const response = await transport.open('GET /knowledge-bases/{knowledge_base_id}/events', [folderId], given)
    let isOpen = false
    try {
      for await (const event of readEvents<FolderEvent>(response)) {
        if (!isOpen) onOpen?.()
        isOpen = true
        if (event.type !== 'ping') yield event
        if (event.id !== null) last = event.id
      }
    } catch (error) {
      options.signal?.throwIfAborted()
      if (!(error instanceof BrokenStreamError)) throw error
    }
    if (!isOpen) throw new DocentError('The stream ended before it began', { status: 0, code: 'CONNECTION_FAILED' })
  }
}
