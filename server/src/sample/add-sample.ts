import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Caller } from '../access/access.ts'
import { CreateAgent } from '../agents/agents.ts'
import { operatorOf } from '../audit/record-audit.ts'
import type { Services } from '../services.ts'

const DOCUMENTS = join(import.meta.dirname, 'documents')

/** Makes a folder with a few documents about Docent and an agent bound to it: a newcomer can ask at once.
 *  @returns the agent's id */
export async function addSample({ folders, uploads, dataSources, agents }: Services, caller: Caller): Promise<string> {
  const folder = await folders.create(
    { ...operatorOf(caller.organizationId), rightsHolderId: null },
    {
      knowledge_base_name: 'About Docent',
      user_defined_tags: ['sample'],
    },
  )
  for (const name of (await readdir(DOCUMENTS)).sort()) {
    const upload = await uploads.put(caller, name, createReadStream(join(DOCUMENTS, name)))
    await dataSources.add(caller, folder.id, {
      file_id: upload.id,
      data_source_title: name,
      unpack: false,
      trigger_indexing: true,
    })
  }
  const guide = CreateAgent.parse({
    name: 'Docent guide',
    description: 'Answers questions about Docent from its own documents.',
    instructions: 'You help people to get started with Docent. Answer briefly and from the documents.',
    knowledge_base_ids: [folder.id],
    visibility: 'organization',
  })
  const agent = await agents.create(caller, guide)
  await untilIndexed(dataSources, caller, folder.id)
  return agent.id
}

/** The first question should find them; indexing continues in the background if it takes longer. */
async function untilIndexed(dataSources: Services['dataSources'], caller: Caller, folderId: string): Promise<void> {
  for (let waitedMs = 0; waitedMs < LONGEST_WAIT_MS; waitedMs += CHECK_MS) {
    const { total, successful } = await dataSources.list(caller, folderId, ONE_PAGE)
    if (successful === total) return
    await delay(CHECK_MS)
  }
}

const ONE_PAGE = { page: 0, page_size: 1, recursive: false, order_by: 'created_at' } as const
const LONGEST_WAIT_MS = 10_000
const CHECK_MS = 50
