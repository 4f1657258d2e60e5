import { DomainError, type ErrorDetail, UnavailableError } from '../platform/errors.ts'

export class FolderNotFoundError extends DomainError {
  override name = 'FolderNotFoundError'
  readonly code = 'KNOWLEDGE_BASE_NOT_FOUND'
  constructor() {
    super('There is no such knowledge base')
  }
}

export class DataSourceNotFoundError extends DomainError {
  override name = 'DataSourceNotFoundError'
  readonly code = 'DATA_SOURCE_NOT_FOUND'
  constructor() {
    super('There is no such data source in this knowledge base')
  }
}

export class VersionNotFoundError extends DomainError {
  override name = 'VersionNotFoundError'
  readonly code = 'VERSION_NOT_FOUND'
  constructor(version: string) {
    super(`There is no version ${version} of this data source: it never existed, or is no longer kept`)
  }
}

export class FileNotFoundError extends DomainError {
  override name = 'FileNotFoundError'
  readonly code = 'FILE_NOT_FOUND'
  declare readonly details?: ErrorDetail[]
  /** @param path field of the request that names the file */
  constructor(path?: string) {
    super('There is no uploaded file with this id: it is unknown or has expired. Upload the file again')
    if (path !== undefined) this.details = [{ path, message: 'names no uploaded file' }]
  }
}

export class FolderNameConflictError extends DomainError {
  override name = 'FolderNameConflictError'
  readonly code = 'KNOWLEDGE_BASE_NAME_CONFLICT'
  constructor(name: string) {
    super(`A knowledge base named "${name}" already exists in this location`)
  }
}

/** Change to a linked folder, which only its integration may make. */
export class FolderLinkedError extends DomainError {
  override name = 'FolderLinkedError'
  readonly code = 'KNOWLEDGE_BASE_LINKED'
  constructor() {
    super('This knowledge base is linked to an integration: it cannot be updated and cannot receive files')
  }
}

export class OrganizationNotFoundError extends DomainError {
  override name = 'OrganizationNotFoundError'
  readonly code = 'ORGANIZATION_NOT_FOUND'
  constructor() {
    super('There is no organization with this id')
  }
}

export class NotSharedError extends DomainError {
  override name = 'NotSharedError'
  readonly code = 'ORGANIZATION_NOT_FOUND'
  constructor() {
    super('This knowledge base is not shared with this organization')
  }
}

export class NoDownloadableDataSourcesError extends DomainError {
  override name = 'NoDownloadableDataSourcesError'
  readonly code = 'NO_DOWNLOADABLE_DATA_SOURCES'
  /** @param after entry of the archive that the caller has */
  constructor(after?: string) {
    super(
      after === undefined
        ? 'There is nothing to download: none of these ids belongs to a document in this knowledge base, or it is empty'
        : `There is nothing to download: ${JSON.stringify(after)} is the last entry of the archive, nothing comes after it`,
    )
  }
}

/** A system that pushes files sent a version that is older than the one that is here. */
export class DataSourceOutdatedError extends DomainError {
  override name = 'DataSourceOutdatedError'
  readonly code = 'DATA_SOURCE_OUTDATED'
  constructor(newest: string) {
    super(`This file already has a newer version, of ${newest}`)
  }
}

export class ExternalIdTakenError extends DomainError {
  override name = 'ExternalIdTakenError'
  readonly code = 'EXTERNAL_ID_TAKEN'
  constructor(externalId: string) {
    super(`The knowledge base has a file with the external id "${externalId}" already`)
  }
}

/** The file is there, but nothing of it can be read as text: it waits, is being read, or could not be. */
export class DataSourceNotIndexedError extends DomainError {
  override name = 'DataSourceNotIndexedError'
  readonly code = 'DATA_SOURCE_NOT_INDEXED'
  constructor(reason: string | null) {
    super(reason ? `This file could not be read: ${reason}` : 'This file is not indexed yet. Try again in a moment')
  }
}

export class FileUploadFailedError extends DomainError {
  override name = 'FileUploadFailedError'
  readonly code = 'FILE_UPLOAD_FAILED'
}

/** The disk is full or away: the caller may try again. */
export class StorageUnavailableError extends UnavailableError {
  override name = 'StorageUnavailableError'
  constructor(options?: ErrorOptions) {
    super('The server cannot store files at the moment', options)
  }
}
