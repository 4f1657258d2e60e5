/**
 * Operations whose bodies the published contract describes: clients that were written for it may send fields that this
 * server does not know. All others refuse such fields.
 */
export const LENIENT_BODIES: ReadonlySet<string> = new Set([
  'knowledgeBases.create',
  'knowledgeBases.list',
  'knowledgeBases.get',
  'knowledgeBases.update',
  'knowledgeBases.delete',
  'dataSources.list',
  'dataSources.addDocument',
  'dataSources.download',
  'dataSources.delete',
  'uploadedFiles.create',
  'virtualUsers.create',
  'virtualUsers.list',
  'virtualUsers.get',
  'virtualUsers.update',
  'virtualUsers.delete',
  'chats.create',
  'chats.queries.create',
  'chats.queries.createAsync',
  'messages.get',
  'messages.list',
  'messages.delete',
])
