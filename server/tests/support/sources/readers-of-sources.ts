import { expect } from 'vitest'
import { addMember } from '../access/keys.ts'
import type { TestApp } from '../test-app.ts'

interface Sender {
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }>
}

/** Members Ada and Bob, whom no folder is closed to, and what each sees of a linked folder with all below it. */
export async function readersOf(app: Pick<TestApp, 'call' | 'services' | 'owner'>) {
  const [ada, bob] = [await addMember(app, 'ada@example.com'), await addMember(app, 'bob@example.org')]
  const owner: Sender = app

  async function titles(as: Sender, folderId: string): Promise<string[]> {
    const { body } = await as.call('GET', `/knowledge-bases/${folderId}/data-sources?recursive=true&page_size=500`)
    const titles = body.data.data_sources.map(({ title }: { title?: string }) => title)
    return titles.filter((title: string | undefined) => title !== undefined).sort()
  }

  async function found(as: Sender, folderId: string, query: string): Promise<string[]> {
    const { body } = await as.call('GET', `/knowledge-bases/${folderId}/search?query=${query}`)
    return [...new Set<string>(body.data.results.map(({ title }: { title: string }) => title))].sort()
  }

  /** Waits until the owner finds these. */
  const indexed = (folderId: string, query: string, all: string[]) =>
    expect.poll(() => found(owner, folderId, query), { timeout: 60_000 }).toEqual(all)

  /** Asks an agent in a new chat. @returns titles of the files that the answer cites */
  async function ask(as: Sender, agentId: string, query: string): Promise<string[]> {
    const { chat } = (await as.call('POST', `/agents/${agentId}/chats`, {})).body.data
    const path = `/agents/${agentId}/chats/${chat.id}`
    const { message_id } = (await as.call('POST', `${path}/query`, { query })).body.data
    const { body } = await as.call('GET', `${path}/message/${message_id}`)
    return body.data.citations.map(({ title }: { title: string }) => title)
  }

  /** An agent that answers from the words of a folder. */
  async function newAgent(folderId: string): Promise<string> {
    const fields = {
      name: 'Guide',
      model: 'builtin/extractive',
      knowledge_base_ids: [folderId],
      visibility: 'public',
    }
    const { status, body } = await app.call('POST', '/agents', fields)
    expect(status, JSON.stringify(body)).toBe(200)
    return body.data.id
  }

  return { ada, bob, owner, titles, found, indexed, ask, newAgent }
}
