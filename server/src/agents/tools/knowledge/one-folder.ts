import { z } from 'zod'
import type { RetrievalService } from '../../../retrieval/retrieval.ts'
import { type ToolContext, ToolError } from '../tool.ts'

export const FolderArgument = z
  .string()
  .optional()
  .describe('Only this folder and what is below it; list_files shows the ids of folders')

const MOST_NAMED = 20

/**
 * The folders that a call is about: all of the agent's, or the one that was named. The person may not be let read all
 * that is in them.
 * @throws ToolError that names folders, when it is none of the agent's, or the person may not read it
 */
export async function foldersFor(
  retrieval: RetrievalService,
  { agent: { knowledgeBaseIds }, run }: Pick<ToolContext, 'agent' | 'run'>,
  folderId: string | undefined,
): Promise<string[]> {
  if (folderId === undefined) return knowledgeBaseIds
  if (await retrieval.isBelow(run, folderId, knowledgeBaseIds)) return [folderId]
  const { folders } = await retrieval.listFolders(run, { folderIds: knowledgeBaseIds, limit: MOST_NAMED })
  const known = folders.map(({ id, path }) => `${path.join(' / ')} (${id})`).join(', ')
  throw new ToolError(`There is no folder with this id here. ${known ? `There are: ${known}.` : 'There are none.'}`)
}
