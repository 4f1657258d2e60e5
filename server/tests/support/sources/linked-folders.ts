import { expect } from 'vitest'
import type { TestApp, TestReply } from '../test-app.ts'

const KB = '/knowledge-bases'

/** Integrations over the API, as tests use them. */
export function linkedFoldersOf({ call, services }: Pick<TestApp, 'call' | 'services'>) {
  const create = (fields: Record<string, unknown>) =>
    call('POST', '/integrations', { knowledge_base_name: 'Linked', ...fields })
  const get = async (id: string) => (await call('GET', `/integrations/${id}`)).body.data

  async function settled(id: string) {
    await expect.poll(async () => (await get(id)).status, { timeout: 90_000 }).not.toBe('syncing')
    return get(id)
  }

  /** Asks for a sync and waits for its end. */
  async function sync(id: string) {
    expect(await call('POST', `/integrations/${id}/sync`)).toMatchObject({
      status: 200,
      body: { data: { id, status: 'syncing' } },
    })
    return settled(id)
  }

  async function whenMade(reply: Promise<TestReply>) {
    const { status, body } = await reply
    expect(status, JSON.stringify(body)).toBe(200)
    return settled(body.data.id)
  }

  /** Paths of what is in the linked folder, from it on; folders end in a slash. */
  async function tree(folderId: string, base = ''): Promise<string[]> {
    const listed = (await call('GET', `${KB}/${folderId}/data-sources?page_size=500`)).body.data.data_sources
    const { org_knowledge_bases: folders } = (await call('GET', `${KB}?parent_kb_id=${folderId}`)).body.data
    const below = await Promise.all(
      folders.map(async (folder: any) => [
        `${base}${folder.name}/`,
        ...(await tree(folder._id, `${base}${folder.name}/`)),
      ]),
    )
    return [...listed.map((file: any) => base + file.title), ...below.flat()].sort()
  }

  const rows = (folderId: string) =>
    services.db.selectFrom('data_source').selectAll().where('folder_id', '=', folderId).orderBy('title').execute()

  const problems = async (id: string) => (await call('GET', `/integrations/${id}/problems`)).body.data.problems

  return { create, get, settled, sync, whenMade, tree, rows, problems }
}
