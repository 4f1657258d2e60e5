import { expect, test } from 'vitest'
import { foreignTables, tableOwners } from './table-rules.ts'

const owners = tableOwners(`
import type { AgentTable } from './agents/agents.tables.ts'
import type {
  ChatTable,
  MessageTable,
} from './chats/chats.tables.ts'
export interface Tables {
  agent: AgentTable
  chat: ChatTable
  message: MessageTable
}
`)

test.each([
  ["db.selectFrom('agent').selectAll()", []],
  ["db.selectFrom('chat').innerJoin('agent', 'agent.id', 'chat.agent_id')", ['chat']],
  ["tx.updateTable('message').set({})", ['message']],
  ['sql`select 1 from chat join message on true`', ['chat', 'message']],
  ['sql<{ id: string }>`delete from chat`', ['chat']],
  ["db.selectFrom('unknown')", []],
])('%s in agents names %j of others', (text, tables) => {
  expect(foreignTables('agents', text, owners)).toEqual(tables)
})
