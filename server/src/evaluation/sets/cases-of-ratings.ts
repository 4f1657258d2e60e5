import type { Caller } from '../../access/access.ts'
import type { AgentRecord, Citation } from '../../agents/agents.ts'
import type { MessageService } from '../../chats/chats.ts'
import type { Db } from '../../db.ts'
import { findNamedFile } from '../../drive/drive.ts'
import type { ExpectedFile } from './cases.store.ts'
import type { AddCases } from './sets.schemas.ts'
import type { NewCase } from './sets.service.ts'

type Wanted = Extract<AddCases, { from: 'rated_messages' }>

export type CasesOfRatings = (caller: Caller, agent: AgentRecord, wanted: Wanted) => Promise<NewCase[]>

/**
 * Makes cases of questions whose answers people rated, from chats that the caller may read. A good answer is the one to
 * compare with, and the files that it cites are expected; of a bad one the question alone remains.
 */
export const createCasesOfRatings =
  ({ db, messages }: { db: Db; messages: MessageService }): CasesOfRatings =>
  async (caller, agent, { rating, limit }) => {
    const rated = await messages.listRated(caller, agent.id, { rating, limit })
    const cases: NewCase[] = []
    for (const { id, query, response, citations } of rated) {
      const question = query.trim()
      if (question === '') continue
      cases.push({
        question,
        expectedAnswers: [],
        referenceAnswer: rating === 'up' && response.trim() !== '' ? response.trim() : null,
        expectedFiles: rating === 'up' ? await findCited(db, caller, agent, JSON.parse(citations)) : [],
        tags: [`rated ${rating}`],
        isAnswerable: true,
        source: 'rated_message',
        messageId: id,
      })
    }
    return cases
  }

/** Files of the agent that were cited and that the caller may read. */
async function findCited(db: Db, caller: Caller, agent: AgentRecord, citations: Citation[]): Promise<ExpectedFile[]> {
  const found: ExpectedFile[] = []
  for (const id of new Set(citations.map(({ data_source_id }) => data_source_id))) {
    const file = await findNamedFile(db, caller, agent.knowledgeBaseIds, { id })
    if (file)
      found.push({ id, passage: null, ...(file.organizationId !== caller.organizationId && { isShared: true }) })
  }
  return found
}
