import { createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { DocentError } from '@docent/sdk'
import { safeNames } from '../drive/safe-names.ts'
import { forEachAtOnce, openContent } from '../drive/transfer.ts'
import { CommandError } from '../failures.ts'
import type { Session } from '../session.ts'
import type { Step, Trio } from './plan.ts'
import { DRAFT, hashFile, keyOf, type LocalFile, type RemoteFile } from './sides.ts'
import type { SyncState } from './sync-state.ts'

export interface Planned extends Trio {
  key: string
  path: string
  step: Exclude<Step, object>
}

interface StepsNeeds {
  session: Session
  directory: string
  state: SyncState
  /** Ids of folders below the synced one, by their keys; '' for that one. */
  folderIds: Map<string, string>
}

/** Changes of a file meanwhile are for the next sync. */
const meanwhile = () => new CommandError('it was changed meanwhile: sync again')

/** Carries out what was planned; each file is remembered as soon as both sides have it. */
export function createSteps({ session: { client }, directory, state, folderIds }: StepsNeeds) {
  const making = new Map<string, Promise<string>>()
  let drafts = 0

  /** Id of a folder of the drive, made with those above it where it lacks. */
  function getFolder(names: string[]): Promise<string> {
    const key = keyOf(names)
    const known = folderIds.get(key)
    if (known) return Promise.resolve(known)
    const begun = making.get(key) ?? makeFolder(names)
    making.set(key, begun)
    return begun
  }

  async function makeFolder(names: string[]): Promise<string> {
    const parent_kb_id = await getFolder(names.slice(0, -1))
    const name = names.at(-1)!.normalize('NFC')
    const { id } = await client.knowledgeBases.create({ knowledge_base_name: name, parent_kb_id })
    folderIds.set(keyOf(names), id)
    return id
  }

  async function upload({ key, local, remote }: Planned): Promise<void> {
    const { path, names } = local!
    const { size, mtimeMs } = await stat(path)
    const hash = await hashFile(path)
    const title = remote?.file.title ?? names.at(-1)!.normalize('NFC')
    const folderId = remote?.file.knowledge_base_id ?? (await getFolder(names.slice(0, -1)))
    const file_id = await client.files.upload(path, { name: title })
    // A new version, so that what the drive had can be got back.
    const { _id: id, version } = remote
      ? await client.dataSources.replaceContent(folderId, remote.file.id, file_id)
      : { ...(await client.dataSources.add(folderId, { file_id, data_source_title: title })), version: 1 }
    state.remember({ key, hash, size, modifiedMs: mtimeMs, id, version, folderId })
  }

  async function download({ key, local, remote }: Planned): Promise<void> {
    const { file, names } = remote!
    const target = local?.path ?? join(directory, ...safeNames(names))
    await mkdir(dirname(target), { recursive: true })
    const draft = join(dirname(target), `${DRAFT}${process.pid}-${++drafts}`)
    try {
      await pipeline(await openContent(client, file), createWriteStream(draft))
      const hash = await hashFile(draft)
      await requireUntouched(target, local)
      await rename(draft, target)
      const { size, mtimeMs } = await stat(target)
      state.remember({ key, hash, size, modifiedMs: mtimeMs, ...placeOf(remote!) })
    } finally {
      await rm(draft, { force: true })
    }
  }

  /** @throws CommandError if the file is not as it was when the sync began */
  async function requireUntouched(path: string, before: LocalFile | undefined): Promise<void> {
    const now = await stat(path).catch(() => undefined)
    if (now?.mtimeMs !== before?.modifiedMs || now?.size !== before?.size) throw meanwhile()
  }

  async function deleteLocal({ key, local, known }: Planned): Promise<void> {
    // The list may lack what was moved between its pages while it was read.
    const { folderId, id } = known!
    const found = await client.dataSources.get(folderId, id).catch((error: unknown) => {
      if (error instanceof DocentError && error.status === 404) return undefined
      throw error
    })
    if (found && found.knowledge_base_id === folderId) throw meanwhile()
    await requireUntouched(local!.path, local)
    await rm(local!.path)
    state.forget(key)
  }

  async function deleteRemote({ key, remote }: Planned): Promise<void> {
    await client.dataSources.delete(remote!.file.knowledge_base_id, [remote!.file.id])
    state.forget(key)
  }

  /** Remembers what both have already. */
  async function adopt({ key, local, remote }: Planned): Promise<void> {
    const { path, size, modifiedMs } = local!
    state.remember({ key, hash: await hashFile(path), size, modifiedMs, ...placeOf(remote!) })
  }

  const work: Record<Planned['step'], (one: Planned) => Promise<void> | void> = {
    upload,
    download,
    'delete local': deleteLocal,
    'delete remote': deleteRemote,
    adopt,
    nothing: () => {},
    forget: ({ key }) => state.forget(key),
  }

  return {
    /**
     * @throws what stops the whole, such as a server that is gone; failures of one file are reported, and others
     * continue
     */
    carryOut: (planned: readonly Planned[], onEnd: (one: Planned, failure?: string) => void) =>
      forEachAtOnce(planned, async (one) => {
        try {
          await work[one.step](one)
          onEnd(one)
        } catch (error) {
          if (!isAboutTheFile(error)) throw error
          onEnd(one, (error as Error).message)
        }
      }),
  }
}

const placeOf = ({ file: { id, version, knowledge_base_id } }: RemoteFile) => ({
  id,
  version,
  folderId: knowledge_base_id,
})

const isAboutTheFile = (error: unknown): boolean =>
  error instanceof DocentError
    ? [400, 403, 404, 409, 413, 415, 422].includes(error.status)
    : error instanceof CommandError || (error as NodeJS.ErrnoException).code !== undefined
