import { type FolderReader, findKeyNames, type KeyName } from '../../../access/access.ts'
import { type Actor, recordAudit } from '../../../audit/record-audit.ts'
import type { Tx } from '../../../db.ts'
import type { KernelParts } from '../../../kernel-parts.ts'
import { isoNow } from '../../../platform/clock.ts'
import { FolderLinkedError, VersionNotFoundError } from '../../drive.errors.ts'
import { noteStage, placeOf } from '../../events/note-events.ts'
import { getUploads, type UploadUser } from '../../uploads/uploads.service.ts'
import { changeFile } from '../change-file.ts'
import type { DataSourceService, FileContent } from '../data-sources.service.ts'
import type { DataSource } from '../data-sources.store.ts'
import { replaceContent } from '../stored-content.ts'
import { listVersions, type Version } from './versions.store.ts'

export interface FileVersionOptions extends Pick<KernelParts, 'clock' | 'db' | 'pubsub' | 'queue' | 'writes'> {
  dataSources: Pick<DataSourceService, 'get'>
  /** Earlier versions that are kept of a file. */
  versionsKept: number
}

/** A version as a reader sees it. */
export interface ShownVersion extends Version {
  isFound: boolean
  key: KeyName | undefined
}

/** Place of a file. */
export interface FileAt {
  folderId: string
  id: string
}

/** Person who changes the content of a file. */
type Changer = FolderReader & UploadUser & Actor

/** Contents that a file had, beside the one that it has. */
export function createFileVersions(options: FileVersionOptions) {
  const { db, writes, queue, clock, pubsub, dataSources, versionsKept } = options

  /** @throws FolderNotFoundError, DataSourceNotFoundError */
  async function read(reader: FolderReader, { folderId, id }: FileAt) {
    const file = await dataSources.get(reader, folderId, id)
    const all = await listVersions(db, file.organizationId, file.id)
    // A share shows what is there, and not what was before it.
    const isShown = ({ version, replacedAt }: Version) => replacedAt === null || version === file.servedVersion
    return { file, versions: file.organizationId === reader.organizationId ? all : all.filter(isShown) }
  }

  /** Gives a file, with its place held, other bytes; the same bytes again change nothing. */
  const replace = (
    user: Changer,
    at: FileAt,
    origin: 'upload' | 'restore',
    findContent: (tx: Tx, file: DataSource) => Promise<FileContent>,
  ): Promise<DataSource> =>
    changeFile(writes, user, at, async (tx, file, folder) => {
      const { organizationId, id } = file
      if (folder.integrationId) throw new FolderLinkedError()
      const content = await findContent(tx, file)
      if (content.sha256 === file.sha256 && content.fileName === file.fileName) return file
      const now = isoNow(clock)
      const note = { origin, at: now, keyId: user.keyId }
      const changes = await replaceContent(tx, { queue, versionsKept }, file, content, {
        note,
        others: { updatedAt: now, virtualUserId: content.virtualUserId },
      })
      await recordAudit(tx, user, {
        action: origin === 'restore' ? 'data_source.restored' : 'data_source.replaced',
        at: now,
        target: { type: 'data_source', id, name: file.title },
        details: { knowledge_base_id: folder.id, version: changes.version },
        workspaceId: null,
      })
      await noteStage(pubsub, tx, { organizationId, ...placeOf(file) })
      return { ...file, ...changes }
    })

  return {
    /** All that are kept, the one that the file has first. @throws FolderNotFoundError, DataSourceNotFoundError */
    async list(reader: FolderReader, at: FileAt): Promise<ShownVersion[]> {
      const { file, versions } = await read(reader, at)
      const isOwn = file.organizationId === reader.organizationId
      const keyIds = versions.flatMap(({ keyId }) => keyId ?? [])
      const keys = isOwn ? await findKeyNames(db, file.organizationId, keyIds) : new Map<string, KeyName>()
      const found = file.status === 'successful' ? file.version : file.servedVersion
      return versions.map((one) => ({
        ...one,
        virtualUserId: isOwn ? one.virtualUserId : null,
        isFound: one.version === found,
        key: one.keyId === null ? undefined : keys.get(one.keyId),
      }))
    },

    /** Content of a version, under the title of its file. @throws FolderNotFoundError, DataSourceNotFoundError, VersionNotFoundError */
    async get(reader: FolderReader, at: FileAt, number: string): Promise<Version & { title: string }> {
      const { file, versions } = await read(reader, at)
      const version = versions.find(({ version: known }) => String(known) === number)
      if (!version) throw new VersionNotFoundError(number)
      return { ...version, title: file.title }
    },

    /**
     * Gives a file the content of an upload; searches find the content that it had until the new one is indexed.
     * @throws FolderNotFoundError, DataSourceNotFoundError, FolderLinkedError, FileNotFoundError
     */
    replace(user: Changer, at: FileAt, fileId: string): Promise<DataSource> {
      return replace(user, at, 'upload', async (tx) => {
        const [upload] = await getUploads(tx, user, [fileId], isoNow(clock))
        return upload!
      })
    },

    /**
     * Gives a file the content of an earlier version again, as a new one.
     * @throws FolderNotFoundError, DataSourceNotFoundError, FolderLinkedError, VersionNotFoundError
     */
    restore(user: Changer, at: FileAt, number: string): Promise<DataSource> {
      return replace(user, at, 'restore', async (tx, file) => {
        const versions = await listVersions(tx, file.organizationId, file.id)
        const version = versions.find(({ version: known }) => String(known) === number)
        if (!version) throw new VersionNotFoundError(number)
        return version
      })
    },
  }
}

export type FileVersions = ReturnType<typeof createFileVersions>
