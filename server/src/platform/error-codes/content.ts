import type { ErrorDescription } from './error-description.ts'

/** Errors about knowledge bases, data sources and uploads. */
export const CONTENT_ERRORS = {
  KNOWLEDGE_BASE_NOT_FOUND: {
    status: 404,
    meaning: 'There is no such knowledge base, or the caller may not see it',
    cause: 'It was deleted, is of another organization, or is outside of what the key or the person may read',
    cure: 'Take the id from GET /v1/knowledge-bases, with the same key',
  },
  KNOWLEDGE_BASE_NAME_CONFLICT: {
    status: 409,
    meaning: 'The name is taken in this location',
    cause: 'Names are unique among the knowledge bases inside one parent',
    cure: 'Choose another name or another parent',
  },
  KNOWLEDGE_BASE_LINKED: {
    status: 400,
    meaning: 'An integration keeps this knowledge base in sync with its source',
    cause: 'Only the integration changes what it brings',
    cure: 'Change it at the source, or add files to another knowledge base',
  },
  DATA_SOURCE_NOT_FOUND: {
    status: 404,
    meaning: 'The knowledge base has no such data source',
    cause: 'It was deleted, or is in another knowledge base',
    cure: 'Take the id from the list of data sources',
  },
  DATA_SOURCE_NOT_INDEXED: {
    status: 409,
    meaning: 'The text of the file cannot be read yet',
    cause: 'The file waits, is being read, or could not be read',
    cure: 'Read the status of the data source: wait until it is indexed, or do what status_reason says',
  },
  DATA_SOURCE_OUTDATED: {
    status: 409,
    meaning: 'A newer version of the file is there already',
    cause: 'The updated_at that was sent is before that of the last version that was pushed',
    cure: 'Push the newest version, or leave updated_at out to replace it all the same',
  },
  EXTERNAL_ID_TAKEN: {
    status: 409,
    meaning: 'The knowledge base has a file with this external id already',
    cause:
      'A pushed file is moved to where another one of the same id is, or one is pushed that a list of readers hides from the caller',
    cure: 'Delete one of the two first, or push with a key of the workspace',
  },
  FILE_NOT_FOUND: {
    status: 404,
    meaning: 'There is no uploaded file with this id',
    cause: 'The id is wrong, or the file has expired before it was used',
    cure: 'Upload the file again',
  },
  FILE_UPLOAD_FAILED: {
    status: 400,
    meaning: 'The file could not be accepted',
    cause: 'The form has no file, the file is empty or too large, or the upload was cut off',
    cure: 'Send one file as multipart/form-data, in the field that the message names',
  },
  FILE_NOT_READABLE: {
    status: 500,
    meaning: 'No text can be read in the file',
    cause: 'It is damaged, password-protected, or of an unsupported format',
    cure: 'Do what the message says, and upload the file again',
  },
  CONTENT_LOST: {
    status: 410,
    meaning: 'The bytes of the file are lost',
    cause: 'The storage of the server no longer has them',
    cure: 'Upload the file again, or have the operator restore it from a backup',
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    meaning: 'The range starts after the end of the file',
    cause: 'Range names bytes that the file does not have',
    cure: 'Take the size from Content-Range, and ask for less',
  },
  NO_DOWNLOADABLE_DATA_SOURCES: {
    status: 400,
    meaning: 'There is nothing to download',
    cause:
      'None of the ids is a document in this knowledge base, it is empty, or `after` is the last entry of its archive',
    cure: 'Leave ids out for all documents, or take them from the list of data sources',
  },
  ORGANIZATION_NOT_FOUND: {
    status: 404,
    meaning: 'There is no such organization, or the knowledge base is not shared with it',
    cause: 'The id is wrong, or the share was taken back',
    cure: 'Take the id from the list of shares',
  },
  INTEGRATION_NOT_FOUND: {
    status: 404,
    meaning: 'There is no integration with this id',
    cause: 'It was deleted, or is of another organization',
    cure: 'Take the id from GET /v1/integrations',
  },
  SOURCE_APP_NOT_FOUND: {
    status: 404,
    meaning: 'This workspace has no app at this document provider',
    cause: 'It was removed, or the environment of the server sets it',
    cure: 'Take the provider from GET /v1/integrations/apps, or set one with PUT /v1/workspaces/{workspace_id}/source-apps/{provider}',
  },
  SOURCE_LOGIN_FAILED: {
    status: 409,
    meaning: 'The login at a document provider failed',
    cause: 'The provider refused, or the login was started elsewhere or has expired',
    cure: 'Do what the message says, and connect again',
  },
  INTEGRATION_CHANGED: {
    status: 409,
    meaning: 'The settings of this integration were changed by someone else at the same time',
    cause: 'Two changes of its config overlapped, and the other was stored first',
    cure: 'Get the integration, look whether your change is still wanted, and send it again',
  },
  VERSION_NOT_FOUND: {
    status: 404,
    meaning: 'The file has no such version',
    cause: 'The number is wrong, or the version is not kept any more',
    cure: 'Take the number from the list of versions',
  },
  PASSAGE_NOT_FOUND: {
    status: 404,
    meaning: 'The file has no passage at this place',
    cause: 'It has fewer passages, perhaps since it was indexed again',
    cure: 'Read its passages again',
  },
  PASSAGE_CHANGED: {
    status: 409,
    meaning: 'The passages of the file have changed',
    cause: 'The file was indexed again, or somebody changed the passage, since it was read',
    cure: 'Read its passages again, and change what is there now',
  },
  PASSAGE_EDIT_NOT_FOUND: {
    status: 404,
    meaning: 'The file has no such manual change',
    cause: 'It was taken back, or the id is wrong',
    cure: 'Take the id from the list of changes',
  },
} as const satisfies Record<string, ErrorDescription>
