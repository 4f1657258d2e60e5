import { watch } from 'node:fs'
import { sep } from 'node:path'

/** Quiet time after which a burst of changes is synced. */
const QUIET_MS = 500

export interface ChangeWatch {
  /** Waits until there may be something to sync. @returns false when somebody asked for the end */
  next(): Promise<boolean>
  close(): void
}

export interface WatchOptions {
  /** Longest pause from one look at the drive, which tells nobody of its changes, to the next. */
  everyMs: number
  /** Called when the system cannot watch the directory: changes here are then found as those in the drive are. */
  onBlind: (reason: string) => void
}

/**
 * Waits for changes on either side of a sync. Ctrl+C or SIGTERM ends it after the sync that runs; a second one ends the
 * process at once.
 */
export function watchBothSides(directory: string, { everyMs, onBlind }: WatchOptions): ChangeWatch {
  let isEnded = false
  let isChanged = false
  let quiet: NodeJS.Timeout | undefined
  let wake = () => {}

  const noteChange = () => {
    isChanged = true
    clearTimeout(quiet)
    quiet = setTimeout(() => wake(), QUIET_MS)
  }
  const end = () => {
    isEnded = true
    wake()
  }
  const closeWatcher = watchDirectory(directory, noteChange, onBlind)
  process.once('SIGINT', end)
  process.once('SIGTERM', end)

  return {
    async next() {
      if (!isEnded) {
        let look: NodeJS.Timeout | undefined
        await new Promise<void>((resolve) => {
          wake = resolve
          look = setTimeout(resolve, everyMs)
          // Changes during the last sync may have been left to this one.
          if (isChanged) noteChange()
        })
        clearTimeout(look)
        wake = () => {}
      }
      isChanged = false
      return !isEnded
    },
    close() {
      clearTimeout(quiet)
      closeWatcher()
      process.off('SIGINT', end)
      process.off('SIGTERM', end)
    },
  }
}

/** @returns a function that ends it */
function watchDirectory(directory: string, onChange: () => void, onBlind: (reason: string) => void): () => void {
  try {
    const watcher = watch(directory, { recursive: true, persistent: false }, (_, name) => {
      // Hidden files are not synced; the sync's own state is one of them.
      if (!name?.split(sep).some((part) => part.startsWith('.'))) onChange()
    })
    watcher.on('error', (error) => {
      watcher.close()
      onBlind(error.message)
    })
    return () => watcher.close()
  } catch (error) {
    onBlind((error as Error).message)
    return () => {}
  }
}
