/** Something that is open, and costs memory while it is. */
export interface Closable {
  isIdle(): boolean
  close(): Promise<void>
}

interface Entry<S> {
  opening: Promise<S | undefined>
  opened?: S
  users: number
}

/** Open spaces by name: each is opened once, and closed when too many others were used since. */
export interface OpenSpaces<S> {
  /** Runs with the space; undefined where there is none and it is not made. */
  use<T>(name: string, open: () => Promise<S | undefined>, run: (space: S) => Promise<T>): Promise<T | undefined>
  /** Lets go of one that is no longer of use; a caller that still uses it may finish. */
  forget(name: string): void
  /** Closes a space once its work under way has ended. */
  close(name: string): Promise<void>
  closeAll(): Promise<void>
}

export function createOpenSpaces<S extends Closable>(maxOpen: number): OpenSpaces<S> {
  const entries = new Map<string, Entry<S>>()

  function entryFor(name: string, open: () => Promise<S | undefined>): Entry<S> {
    const known = entries.get(name)
    // Taken out and put back: the first of the map is the one that was not used for the longest time.
    entries.delete(name)
    const entry = known ?? { opening: open(), users: 0 }
    entries.set(name, entry)
    if (!known) {
      const drop = () => entries.get(name) === entry && entries.delete(name)
      entry.opening.then((opened) => (opened ? (entry.opened = opened) : drop()), drop)
    }
    return entry
  }

  async function use<T>(name: string, open: () => Promise<S | undefined>, run: (space: S) => Promise<T>) {
    const entry = entryFor(name, open)
    entry.users += 1
    try {
      const space = await entry.opening
      return space && (await run(space))
    } finally {
      entry.users -= 1
      closeSurplus()
    }
  }

  function closeSurplus(): void {
    for (const [name, { opened, users }] of entries) {
      if (entries.size <= maxOpen) return
      if (users > 0 || !opened?.isIdle()) continue
      entries.delete(name)
      // A space that could not be closed is of no use to anybody either.
      opened.close().catch(() => {})
    }
  }

  async function close(name: string): Promise<void> {
    const entry = entries.get(name)
    entries.delete(name)
    await (await entry?.opening)?.close()
  }

  async function closeAll(): Promise<void> {
    await Promise.all([...entries.keys()].map(close))
  }

  return {
    use,
    forget(name) {
      close(name).catch(() => {})
    },
    close,
    closeAll,
  }
}
