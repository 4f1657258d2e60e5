import { docent, queryClient } from '../../access/access.ts'

/**
 * Agent that answers from this folder alone: the newest that there is, else a new one with the folder's name.
 * @returns its id
 * @throws DocentError if it cannot be made
 */
export async function agentOfFolder({ _id, name }: { _id: string; name: string }): Promise<string> {
  for (let page = 1; ; page++) {
    const { agents, has_more } = await docent().agents.list({ page, page_size: 100 })
    const own = agents.find(({ knowledge_base_ids: ids }) => ids.length === 1 && ids[0] === _id)
    if (own) return own.id
    if (!has_more) break
  }
  const { id } = await docent().agents.create({ name, knowledge_base_ids: [_id] })
  await queryClient.invalidateQueries({ queryKey: ['agents'] })
  return id
}
