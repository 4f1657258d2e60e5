import { createAgent, deleteAgent } from '../../agents/agents.ts'
import { deleteFolder, type readDropped, uploadIntoFolder, uploadIntoNewFolder } from '../../drive/drive.ts'

/** Folder of documents with an agent that answers from it. */
export interface DocumentAgent {
  folderId: string
  agentId: string
}

type Dropped = Awaited<ReturnType<typeof readDropped>>

/**
 * Uploads documents and makes the folder and the agent for them; more documents go where the first ones are.
 * @throws DocentError if something cannot be made
 */
export async function makeDocumentAgent(dropped: Dropped, before: DocumentAgent | null): Promise<DocumentAgent> {
  if (before) {
    await uploadIntoFolder(before.folderId, dropped)
    return before
  }
  const { id, name } = await uploadIntoNewFolder(dropped)
  const agent = await createAgent({ name, knowledge_base_ids: [id] })
  return { folderId: id, agentId: agent.id }
}

/** Deletes the folder and the agent of documents of which none could be read. @throws DocentError */
export async function discardDocumentAgent({ folderId, agentId }: DocumentAgent): Promise<void> {
  await deleteAgent(agentId)
  await deleteFolder(folderId)
}
