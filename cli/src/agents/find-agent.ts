import { type Agent, type Docent, DocentError } from '@docent/sdk'
import { CommandError, EXIT, notFound } from '../failures.ts'

/** The agent with an id, or with a name that no other has. @throws CommandError */
export async function findAgent(client: Docent, idOrName: string): Promise<Agent> {
  if (/^[0-9a-f]{24}$/.test(idOrName))
    return client.agents.get(idOrName).catch((error: unknown) => {
      if (error instanceof DocentError && error.status === 404) throw notFound(`There is no agent ${idOrName}`)
      throw error
    })
  const named = await listNamed(client, idOrName)
  if (named.length === 1) return named[0]!
  if (named.length === 0) throw notFound(`There is no agent ${idOrName}`)
  const ids = named.map(({ id }) => id).join(', ')
  throw new CommandError(`Several agents are named ${idOrName}: name one by its id (${ids})`, EXIT.usage)
}

/** Agents with exactly this name. */
export async function listNamed(client: Docent, name: string): Promise<Agent[]> {
  const found: Agent[] = []
  for await (const agent of client.agents.list({ search: name.slice(0, 256), page_size: 100 }))
    if (agent.name === name) found.push(agent)
  return found
}
