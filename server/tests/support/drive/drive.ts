import { expect } from 'vitest'
import type { Call, TestApp } from '../test-app.ts'

export const UNKNOWN_ID = '0123456789abcdef01234567'

export interface NewFile {
  title?: string
  /** The title, unless given. */
  fileName?: string
  content?: string | Uint8Array
  /** Whether to index it. */
  index?: boolean
}

/** Shorthands for what most tests of the drive begin with; each expects success. */
export function driveOf({ call }: Pick<TestApp, 'call'>) {
  async function succeed(...request: Parameters<Call>) {
    const reply = await call(...request)
    expect(reply.status, JSON.stringify(reply.body)).toBe(200)
    return reply.body
  }

  const newFolder = async (name: string, parentId?: string): Promise<string> =>
    (await succeed('POST', '/knowledge-bases', { knowledge_base_name: name, parent_kb_id: parentId })).data.id

  const upload = async (content: string | Uint8Array, fileName = 'file.txt', key?: string): Promise<string> =>
    (await succeed('POST', '/uploaded-files', formOf(content, fileName), key ? { key } : {})).data

  const addFile = async (
    folderId: string,
    { title = 'file.txt', fileName, content = 'content', index = false }: NewFile = {},
  ): Promise<string> => {
    const file_id = await upload(content, fileName ?? title)
    const fields = { file_id, data_source_title: title, trigger_indexing: index }
    return (await succeed('POST', `/knowledge-bases/${folderId}/data-sources/documents`, fields)).data._id
  }

  const listFiles = async (folderId: string, query = '') =>
    (await succeed('GET', `/knowledge-bases/${folderId}/data-sources?${query}`)).data

  return { succeed, newFolder, upload, addFile, listFiles }
}

export function formOf(content: string | Uint8Array, fileName = 'file.txt', email?: string): FormData {
  const form = new FormData()
  form.append('file', new Blob([content as Uint8Array<ArrayBuffer>]), fileName)
  if (email !== undefined) form.append('virtual_user_email', email)
  return form
}
