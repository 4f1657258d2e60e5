import type { Bulk, Row } from './bulk.ts'
import { agentOf, chatOf, idOf, keyOf, type Plan, personOf, usedOn } from './plan.ts'
import type { Owner } from './seed.ts'

type Kind = 'day' | 'person_day' | 'person_third' | 'person_month'

/** Columns that tell the sums apart. */
interface Key {
  period: string
  agent_id: string
  virtual_user_id: string
  api_key_id: string
  model: string
}

const MODEL = 'openai-compatible/scripted'
/** Usage of each message, as its row has it. */
const USED = {
  input_tokens: 900,
  cached_input_tokens: 300,
  output_tokens: 150,
  reasoning_tokens: 0,
  cost_micros: 1_234,
}

/** The sums that the server would have made of the messages, had they come in the course of a year. */
export function seedSums(bulk: Bulk, owner: Owner, { chats, messages }: Plan): void {
  const all = Array.from({ length: messages }, (_, message) => message)
  const ofPeople = all.filter((message) => personOf(message) !== undefined)
  const byAgent = (message: number): Key => ({
    period: usedOn(message),
    agent_id: idOf('agent', agentOf(chatOf(message, chats))),
    virtual_user_id: '',
    api_key_id: idOf('key', keyOf(message)),
    model: MODEL,
  })
  const person = (message: number) => ({ virtual_user_id: idOf('person', personOf(message)!) })
  fill(bulk, owner, 'day', all, byAgent)
  fill(bulk, owner, 'person_day', ofPeople, (message) => ({ ...byAgent(message), ...person(message) }))
  const byPerson = (message: number) => ({ agent_id: '', ...person(message), api_key_id: '', model: '' })
  const month = (message: number) => usedOn(message).slice(0, 7)
  const third = (message: number) => Math.min(3, Math.ceil(Number(usedOn(message).slice(8)) / 10))
  fill(bulk, owner, 'person_third', ofPeople, (message) => ({
    period: `${month(message)}/${third(message)}`,
    ...byPerson(message),
  }))
  fill(bulk, owner, 'person_month', ofPeople, (message) => ({ period: month(message), ...byPerson(message) }))
}

function fill(bulk: Bulk, owner: Owner, kind: Kind, messages: number[], keyOfMessage: (message: number) => Key): void {
  const counts = new Map<string, { key: Key; messages: number }>()
  for (const message of messages) {
    const key = keyOfMessage(message)
    const name = Object.values(key).join()
    const sum = counts.get(name)
    if (sum) sum.messages++
    else counts.set(name, { key, messages: 1 })
  }
  // As they would have come: day by day.
  const sums = [...counts.values()].sort((a, b) => (a.key.period < b.key.period ? -1 : 1))
  bulk.fill('usage_sum', sums.length, (index) => toRow(owner, kind, sums[index]!))
}

const toRow = (owner: Owner, kind: Kind, { key, messages }: { key: Key; messages: number }): Row => ({
  organization_id: owner.organizationId,
  workspace_id: owner.workspaceId,
  kind,
  ...key,
  messages,
  ...Object.fromEntries(Object.entries(USED).map(([amount, each]) => [amount, each * messages])),
  unpriced_tokens: 0,
  audio_seconds: 0,
  unpriced_audio_seconds: 0,
})
