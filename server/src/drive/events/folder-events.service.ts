import type { Caller } from '../../access/access.ts'
import type { Db } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { toFileItem } from '../files/data-sources.schemas.ts'
import { hideForeignUploader } from '../files/data-sources.service.ts'
import { findDataSources } from '../files/data-sources.store.ts'
import { listFilesHiddenBy } from '../files/readers/hidden-files.ts'
import { filesOf, getFolderInScope, type ReadableFolder } from '../folders/folders.access.ts'
import { currentNumber, numberEvents } from './event-numbers.store.ts'
import type { FolderEvent } from './file-events.schemas.ts'
import { isUnbroken, listEvents, type NumberedEvent } from './file-events.store.ts'
import { type FileHint, onHint } from './note-events.ts'

export type FolderEventsOptions = Pick<KernelParts, 'clock' | 'db' | 'logger' | 'pubsub' | 'writes'>

export interface FollowOptions {
  /** Number of the last event that was read, of which some may be gone; default: from now on. */
  after?: number | undefined
  /** The caller, as it stands now. @throws when it may not call any more */
  readmit(): Promise<Caller>
  send(event: FolderEvent): void
  /** The caller may not read the folder any more, or what follows is unknown. */
  end(): void
}

export type FolderEvents = ReturnType<typeof createFolderEvents>

const AT_ONCE = 200
/** Hints that come together make one look: files of a folder are mostly added together. */
const GATHER_MS = 50
const PING_MS = 5_000

/** Events of the files of a folder, as they happen and for a while after. */
export function createFolderEvents(options: FolderEventsOptions) {
  const { db, pubsub, clock } = options
  return {
    /** @returns begins and ends the following; what goes wrong before is thrown. @throws FolderNotFoundError */
    async prepare(caller: Caller, folderId: string, after: number | undefined) {
      const folder = await getFolderInScope(db, caller, folderId)
      const { organizationId } = folder
      // Events from before get their numbers here, and are known by anyone who lists the folder after the first event.
      await numberEvents(db, organizationId, options.writes, clock().getTime())
      const isBroken = after !== undefined && !(await isUnbroken(db, organizationId, after))
      const from = after === undefined || isBroken ? await currentNumber(db, organizationId, clock().getTime()) : after
      return (follow: FollowOptions): (() => void) => {
        const follower = new Follower(options, folder, from, follow)
        const stops = [onHint(pubsub, (hint) => follower.hear(hint)), pubsub.onGap(() => follower.look())]
        follower.begin(isBroken)
        return () => {
          for (const stop of stops) stop()
          follower.stop()
        }
      }
    },
  }
}

/** One who follows a folder: looks, one look at a time, whenever there may be something to tell. */
class Follower {
  readonly #options: FolderEventsOptions
  readonly #folder: ReadableFolder
  readonly #follow: FollowOptions
  readonly #stages = new Set<string>()
  readonly #ping: NodeJS.Timeout
  #after: number
  #gathering: NodeJS.Timeout | undefined
  #isLooking = false
  #isAskedAgain = false
  #isPingDue = false
  #isStopped = false

  constructor(options: FolderEventsOptions, folder: ReadableFolder, after: number, follow: FollowOptions) {
    this.#options = options
    this.#folder = folder
    this.#after = after
    this.#follow = follow
    this.#ping = setInterval(() => {
      this.#isPingDue = true
      this.look()
    }, PING_MS)
  }

  begin(isBroken: boolean): void {
    this.#follow.send({ type: isBroken ? 'reset' : 'ping', id: this.#after })
    this.look()
  }

  stop(): void {
    this.#isStopped = true
    clearInterval(this.#ping)
    clearTimeout(this.#gathering)
  }

  hear({ organizationId, folderId, dataSourceId }: FileHint): void {
    if (organizationId !== this.#folder.organizationId) return
    if (folderId !== undefined && folderId !== this.#folder.id) return
    if (dataSourceId !== undefined) this.#stages.add(dataSourceId)
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined
      this.look()
    }, GATHER_MS)
  }

  look(): void {
    if (this.#isLooking) {
      this.#isAskedAgain = true
      return
    }
    this.#isLooking = true
    this.#tell()
      // The end says to come back: anyone who may still read the folder continues where this broke off.
      .catch((error) => {
        this.#options.logger.info({ err: error }, 'the events of a folder are told to somebody no longer')
        this.#follow.end()
        this.stop()
      })
      .finally(() => {
        this.#isLooking = false
        if (!this.#isAskedAgain || this.#isStopped) return
        this.#isAskedAgain = false
        this.look()
      })
  }

  /** @throws when the caller may not read the folder any more */
  async #tell(): Promise<void> {
    const { db, writes, clock } = this.#options
    const { id: folderId, organizationId } = this.#folder
    await numberEvents(db, organizationId, writes, clock().getTime())
    for (;;) {
      const events = await listEvents(db, organizationId, folderId, { after: this.#after, limit: AT_ONCE })
      const stages = [...this.#stages].slice(0, AT_ONCE)
      for (const id of stages) this.#stages.delete(id)
      if (events.length === 0 && stages.length === 0) break
      // Asked after the events were read: nothing is told of a time at which the caller might not know it.
      const caller = await this.#follow.readmit()
      await getFolderInScope(db, caller, folderId)
      await this.#send(caller, events, stages)
      if (this.#isStopped) return
    }
    if (!this.#isPingDue) return
    this.#isPingDue = false
    await getFolderInScope(db, await this.#follow.readmit(), folderId)
    if (!this.#isStopped) this.#follow.send({ type: 'ping', id: this.#after })
  }

  async #send(caller: Caller, events: NumberedEvent[], stages: string[]): Promise<void> {
    const { db, clock } = this.#options
    const { id: folderId, organizationId } = this.#folder
    const ids = [...new Set([...events.map(({ dataSourceId }) => dataSourceId), ...stages])]
    const readable = await filesOf(db, caller, this.#folder)
    const files = await findDataSources(db, organizationId, readable, ids)
    const hidden = await listFilesHiddenBy(db, readable.rights, organizationId, ids)
    const shown = new Map(files.map((file) => [file.id, toFileItem(hideForeignUploader(caller, file))]))
    const places = new Map<string, boolean>()
    for (const { otherFolderId } of events)
      if (otherFolderId && !places.has(otherFolderId))
        places.set(otherFolderId, await mayRead(db, caller, otherFolderId))
    if (this.#isStopped) return
    for (const { number, type, dataSourceId, otherFolderId, createdAt } of events) {
      // Events that the caller may not see are behind it, too, or the same ones would be looked at without end.
      this.#after = number
      if (hidden.has(dataSourceId)) continue
      const file = shown.get(dataSourceId) ?? null
      const whereItWent = otherFolderId && places.get(otherFolderId) ? otherFolderId : null
      const knowledge_base_id = type === 'deleted' ? null : type === 'moved' && !file ? whereItWent : folderId
      const about = { data_source_id: dataSourceId, knowledge_base_id, at: createdAt, data_source: file }
      this.#follow.send({ type, id: number, ...about })
    }
    const at = isoNow(clock)
    for (const id of stages) {
      const file = shown.get(id)
      const about = { data_source_id: id, knowledge_base_id: folderId, at }
      if (file) this.#follow.send({ type: 'stage', id: null, ...about, data_source: file })
    }
  }
}

const mayRead = (db: Db, caller: Caller, folderId: string): Promise<boolean> =>
  getFolderInScope(db, caller, folderId).then(
    () => true,
    () => false,
  )
