import type { FastifyPluginAsync } from 'fastify'
import type { IdempotentRequests, VisitorUse } from '../access/access.ts'
import type { Kernel } from '../kernel.ts'
import type { EnsureVirtualUser, UserService } from '../users/users.ts'
import { Unpacker } from './archives/unpack.ts'
import { downloadRoutes } from './downloads/downloads.routes.ts'
import { driveGivenUp, driveTasks } from './drive.tasks.ts'
import { createFileEventRetention } from './events/file-events.retention.ts'
import { type FolderEventRoutesOptions, folderEventRoutes } from './events/folder-events.routes.ts'
import { createFolderEvents } from './events/folder-events.service.ts'
import type { BlobUses } from './files/blob-uses.ts'
import { contentRoutes } from './files/content.routes.ts'
import { dataSourceRoutes } from './files/data-sources.routes.ts'
import { DataSourceService } from './files/data-sources.service.ts'
import { pushedFileRoutes } from './files/pushed/pushed-files.routes.ts'
import { PushedFileService } from './files/pushed/pushed-files.service.ts'
import { createReaderListRetention } from './files/readers/reader-lists.retention.ts'
import { fileReaderRoutes } from './files/readers/readers.routes.ts'
import { createFileReaders } from './files/readers/readers.service.ts'
import { createVersionRetention } from './files/versions/versions.retention.ts'
import { versionRoutes } from './files/versions/versions.routes.ts'
import { createFileVersions } from './files/versions/versions.service.ts'
import { folderRoutes } from './folders/folders.routes.ts'
import { FolderService } from './folders/folders.service.ts'
import { LinkedDrive } from './linked/linked.service.ts'
import { folderGrantRoutes } from './rights/folder-grants.routes.ts'
import { createFolderGrants } from './rights/folder-grants.service.ts'
import { personGrantRoutes } from './rights/person-grants.routes.ts'
import { createPersonGrants } from './rights/person-grants.service.ts'

import { shareRoutes } from './shares/shares.routes.ts'
import { createShareService } from './shares/shares.service.ts'
import { createUploadExpiry } from './uploads/uploads.expiry.ts'
import { uploadRoutes } from './uploads/uploads.routes.ts'
import { createUploadService } from './uploads/uploads.service.ts'

export type { Unpacker } from './archives/unpack.ts'
export { zipNames } from './downloads/zip-names.ts'
export { type MadeZipEntry, type ZipEntry, zipStream } from './downloads/zip-stream.ts'
export {
  DataSourceNotFoundError,
  DataSourceNotIndexedError,
  FileNotFoundError,
  FolderNotFoundError,
} from './drive.errors.ts'
export { noteEvents, noteStage, placeOf } from './events/note-events.ts'
export type { BlobUses } from './files/blob-uses.ts'
export { changeFile } from './files/change-file.ts'
export { DataSourceParams } from './files/data-sources.schemas.ts'
export {
  findHiddenInFolders,
  findMovedDataSources,
  findSearchableDataSources,
  type ListedFilesQuery,
  listSearchableFiles,
  type SearchableDataSource,
} from './files/data-sources.search.ts'
export type { DataSourceService } from './files/data-sources.service.ts'
export { type DataSource, findContentKey } from './files/data-sources.store.ts'
export { findIndexed, listIndexed, pagesOfIndexed } from './files/indexing/data-sources.indexed.ts'
export {
  enqueueNewTitle,
  failIndexing,
  findCurrent,
  findLiveDataSource,
  finishIndexing,
  type IndexingFailure,
  type IndexingRequest,
  isIndexingWanted,
  isThere,
  noteEdited,
  recordIndexedFolder,
  startIndexing,
} from './files/indexing/data-sources.indexing.ts'
export {
  hasIndexedFiles,
  holdsIndexedText,
  reindexAll,
  reindexLost,
  requestAgain,
} from './files/indexing/data-sources.reindex.ts'
export { type IndexingStage, noteProgress } from './files/indexing/indexing-progress.ts'
export { onStopped } from './files/indexing/indexing-stopped.ts'
export { fileAddressOf } from './files/metadata/file-address.ts'
export { FileFilter, FileFilterQuery } from './files/metadata/file-filters.schemas.ts'
export { findByMetadata } from './files/metadata/find-by-metadata.store.ts'
export { FileMetadata } from './files/metadata/metadata.schemas.ts'
export { findNamedFile } from './files/naming/named-files.ts'
export { documentsOfPerson, forgetPersonInDrive, movePersonInDrive } from './files/person-traces.ts'
export { findHiddenFiles, findReadableFiles, findTitles } from './files/readable-files.ts'
export { findFileRights } from './files/readers/file-rights.ts'
export type { StoredContent } from './files/stored-content.ts'
export { listFolderPaths } from './folders/folder-paths.ts'
export {
  type FolderTree,
  findReadableIds,
  getFolder,
  getFolderInScope,
  getReadableFolder,
  isReadableBelow,
  listOwners,
  readableFolderTree,
  requireReadableFolders,
  requireWholeFolder,
} from './folders/folders.access.ts'
export { outlineFolders } from './folders/folders.outline.ts'
export { commitNamed, type FolderActor, type FolderService, findFreeName } from './folders/folders.service.ts'
export type { Folder } from './folders/folders.store.ts'
export { findFoldersByPath } from './folders/folders-by-path.ts'
export { findPathsOfFolders } from './folders/paths-of-folders.ts'
export { isRestricted } from './folders/reader-rights.ts'
export { isSaidOf, type LinkedDrive, type LinkedFile } from './linked/linked.service.ts'
export { findRestriction } from './rights/restriction.ts'
export { getUploads, type Upload, type UploadService } from './uploads/uploads.service.ts'

interface DriveNeeds {
  ensureVirtualUser: EnsureVirtualUser
  users: UserService
  visitorUse: VisitorUse
  idempotentRequests: IdempotentRequests
  /** Finds blobs that other features need. */
  otherBlobUses: BlobUses[]
}

/** Folders, files, uploads and shares. */
export function createDrive(kernel: Kernel, needs: DriveNeeds) {
  const { ensureVirtualUser, users, visitorUse, idempotentRequests, otherBlobUses } = needs
  const { uploads, versions } = kernel.config
  const versionsKept = versions.kept
  kernel.register({
    handlers: driveTasks({ ...kernel, otherBlobUses, isFull: kernel.room?.isFull }),
    givenUp: driveGivenUp,
    sweeps: [
      createUploadExpiry({ ...kernel, ttlMs: uploads.ttlMs }),
      createFileEventRetention(kernel),
      createVersionRetention({ ...kernel, keptMs: versions.keptMs }),
      createReaderListRetention(kernel),
    ],
  })
  const dataSources = new DataSourceService(kernel)
  return {
    folders: new FolderService(kernel),
    shares: createShareService(kernel),
    folderGrants: createFolderGrants(kernel),
    personGrants: createPersonGrants({ ...kernel, users }),
    dataSources,
    fileReaders: createFileReaders({ ...kernel, dataSources }),
    fileVersions: createFileVersions({ ...kernel, dataSources, versionsKept }),
    /** Expands archives into folders, for code that reads files. */
    unpacker: new Unpacker({ ...kernel, maxBytes: uploads.maxBytes }),
    folderEvents: createFolderEvents(kernel),
    pushedFiles: new PushedFileService({ ...kernel, versionsKept }),
    uploads: createUploadService({ ...kernel, ensureVirtualUser, visitorUse, idempotentRequests, limits: uploads }),
    /** Folders that integrations fill. */
    linkedDrive: new LinkedDrive({ ...kernel, maxBytes: uploads.maxBytes, versionsKept }),
  }
}

type DriveServices = Parameters<typeof folderRoutes>[0] &
  Parameters<typeof folderGrantRoutes>[0] &
  Parameters<typeof personGrantRoutes>[0] &
  Parameters<typeof shareRoutes>[0] &
  Parameters<typeof downloadRoutes>[0] &
  Parameters<typeof contentRoutes>[0] &
  Parameters<typeof versionRoutes>[0] &
  Parameters<typeof fileReaderRoutes>[0] &
  Parameters<typeof pushedFileRoutes>[0] &
  FolderEventRoutesOptions &
  Parameters<typeof uploadRoutes>[0]

export const driveRoutes =
  (services: DriveServices): FastifyPluginAsync =>
  async (app) => {
    await app.register(folderRoutes(services))
    await app.register(shareRoutes(services))
    await app.register(folderGrantRoutes(services))
    await app.register(personGrantRoutes(services))
    await app.register(dataSourceRoutes(services))
    await app.register(pushedFileRoutes(services))
    await app.register(folderEventRoutes(services))
    await app.register(downloadRoutes(services))
    await app.register(contentRoutes(services))
    await app.register(versionRoutes(services))
    await app.register(fileReaderRoutes(services))
    await app.register(uploadRoutes(services))
  }
