import { expect, test } from 'vitest'
import { ORGANIZATION_ID, startTestDatabase } from '../../../tests/support/database/database.ts'
import { grant } from '../../access/access.ts'
import { createLocalPubSub } from '../../platform/cluster/pubsub/pubsub.ts'
import { type AgentRecord, insertAgent, markAgentDeleted, updateAgent } from './agents.store.ts'
import { createRecentAgents } from './recent-agents.ts'

const ID = '0123456789abcdef00000009'
const AT = '2026-01-01T00:00:00.000Z'

/** Two processes that hear each other. */
async function start() {
  const { db, writes, all } = await startTestDatabase()
  const workspaceId = '0123456789abcdef00000002'
  await all
    .insertInto('workspace')
    .values({ id: workspaceId, organization_id: ORGANIZATION_ID, name: 'One', created_at: AT })
    .onConflict((on) => on.doNothing())
    .execute()
  await writes.commit((tx) =>
    insertAgent(tx, ORGANIZATION_ID, {
      id: ID,
      workspaceId,
      at: AT,
      name: 'first',
      description: '',
      instructions: '',
      model: null,
      knowledge_base_ids: '[]',
      tools: null,
      filters: null,
      sub_agent_ids: '[]',
      mcp_servers: '[]',
      openapi_tools: '[]',
      tools_needing_approval: '[]',
      limits: '{}',
      visibility: 'private',
    }),
  )
  const pubsub = createLocalPubSub()
  const [here, there] = [createRecentAgents({ db, pubsub }), createRecentAgents({ db, pubsub })]
  const agent = grant<'change', AgentRecord>({ organizationId: ORGANIZATION_ID, id: ID } as AgentRecord)
  const rename = (name: string) => writes.commit((tx) => updateAgent(tx, agent, { name }, AT))
  const remove = () => writes.commit((tx) => markAgentDeleted(tx, agent, AT))
  const nameIn = async (agents: typeof here) => (await agents.find(ORGANIZATION_ID, ID))?.name
  return { here, there, rename, remove, nameIn }
}

test('an agent is read once, a change counts at once where it was made, and soon in other processes', async () => {
  const { here, there, rename, nameIn } = await start()
  expect([await nameIn(here), await nameIn(there)]).toEqual(['first', 'first'])
  // Nobody says so: what is remembered is not read again.
  await rename('unsaid')
  expect(await nameIn(here)).toBe('first')
  await here.changing(ID, () => rename('second'))
  expect(await nameIn(here)).toBe('second')
  await expect.poll(() => nameIn(there)).toBe('second')
})

test('what was read while the agent was changed is not remembered', async () => {
  const { here, rename, nameIn } = await start()
  await here.changing(ID, async () => {
    const reading = nameIn(here)
    await rename('second')
    await reading
  })
  expect(await nameIn(here)).toBe('second')
})

test('a change of which nobody knows whether it happened is looked for', async () => {
  const { here, rename, nameIn } = await start()
  await nameIn(here)
  const unanswered = here.changing(ID, async () => {
    await rename('second')
    throw new Error('the connection ended during a commit')
  })
  await expect(unanswered).rejects.toThrow('during a commit')
  expect(await nameIn(here)).toBe('second')
})

test('a deleted agent is known as one, and another organization finds nothing', async () => {
  const { here, remove, nameIn } = await start()
  expect(await nameIn(here)).toBe('first')
  expect(await here.find('0123456789abcdef000000ff', ID)).toBe(undefined)
  await here.changing(ID, remove)
  expect(await here.find(ORGANIZATION_ID, ID)).toMatchObject({ isDeleted: true })
})
