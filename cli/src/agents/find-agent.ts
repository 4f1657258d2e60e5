import { type Agent, type Docent, DocentError } from '@docent/sdk'
import { notFound } from '../failures.ts'
import { isId, onlyOne } from '../only-one.ts'

/** The agent with an id, or with a name that no other has. @throws CommandError */
export async function findAgent(client: Docent, idOrName: string): Promise<Agent> {
  if (isId(idOrName))
    return client.agents.get(idOrName).catch((error: unknown) => {
      if (error instanceof DocentError && error.status === 404) throw notFound(`There is no agent ${idOrName}`)
      throw error
    })
  return onlyOne(await listNamed(client, idOrName), 'agent', idOrName)
}

/** Agents with exactly this name. */
export async function listNamed(client: Docent, name: string): Promise<Agent[]> {
  const found: Agent[] = []
  for await (const agent of client.agents.list({ search: name.slice(0, 256), page_size: 100 }))
    if (agent.name === name) found.push(agent)
  return found
}
