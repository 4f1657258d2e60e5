import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { textOf, wordsOf } from '../http/words.ts'
import { type Bulk, openBulk, type Row } from './bulk.ts'
import {
  AGENTS,
  agentOf,
  chatOf,
  chatTypeOf,
  DELIVERIES,
  FILES,
  FOLDERS,
  folderOf,
  INTEGRATIONS,
  idOf,
  JOBS,
  KEYS,
  OTHERS,
  PEOPLE,
  type Plan,
  parentOf,
  personOf,
  QUOTAS,
  SHORTCUTS,
  scatter,
  statusOf,
  timeOf,
} from './plan.ts'
import { seedSums } from './seed-sums.ts'

/** Owner of the rows. */
export interface Owner {
  organizationId: string
  workspaceId: string
}

/** Fills the data folder of a server that was started once, and stopped. */
export function seed(dataDir: string, owner: Owner, plan: Plan): void {
  // A server that misses it would index all files again.
  mkdirSync(join(dataDir, 'search'))
  const bulk = openBulk(join(dataDir, 'docent.sqlite'))
  seedPeople(bulk, owner)
  seedDrive(bulk, owner)
  seedSharing(bulk, owner)
  seedAgents(bulk, owner)
  seedChats(bulk, owner, plan)
  seedDeliveries(bulk, owner, plan)
  seedSums(bulk, owner, plan)
  seedQuotas(bulk, owner)
  bulk.close()
}

const made = (index: number) => ({ created_at: timeOf(index), updated_at: timeOf(index) })
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const nullable = <T>(value: T | undefined) => value ?? null

function seedPeople(bulk: Bulk, { organizationId, workspaceId }: Owner): void {
  const owned = { organization_id: organizationId, workspace_id: workspaceId }
  bulk.fill('virtual_user', PEOPLE, (index) => ({
    id: idOf('person', index),
    ...owned,
    email: `Person.${index}@example.com`,
    email_key: `person.${index}@example.com`,
    name: `Person ${index}`,
    name_key: `person ${index}`,
    origin: 'shop',
    origin_key: 'shop',
    metadata: JSON.stringify({ plan: index % 2 ? 'free' : 'paid', city: 'utrecht', notes: 'x'.repeat(200) }),
    ...made(index),
    deleted_at: null,
  }))
  bulk.fill('api_key', KEYS, (index) => ({
    id: idOf('key', index),
    ...owned,
    name: `Key ${index}`,
    prefix: 'dct_0000',
    hash: sha256(`key ${index}`),
    role: 'member',
    permissions: '["manage_agents"]',
    expires_at: null,
    revoked_at: index % 10 === 0 ? timeOf(index) : null,
    last_used_at: null,
    created_at: timeOf(index),
  }))
}

function folderRow(organizationId: string, index: number, parent: number | undefined): Row {
  return {
    id: idOf('folder', index),
    organization_id: organizationId,
    parent_id: nullable(parent === undefined ? undefined : idOf('folder', parent)),
    name: `Folder ${index}`,
    name_key: `folder ${index}`,
    tags: '["finance","2026"]',
    integration_id: null,
    source_key: null,
    ...made(index),
    deleted_at: null,
  }
}

function seedDrive(bulk: Bulk, { organizationId }: Owner): void {
  bulk.fill('folder', FOLDERS, (index) => folderRow(organizationId, index, parentOf(index)))
  bulk.fill('data_source', FILES, (index) => ({
    id: idOf('file', index),
    organization_id: organizationId,
    folder_id: idOf('folder', folderOf(index)),
    title: `Report ${index} on ${index % 100 === 0 ? 'whales' : 'invoices'}.pdf`,
    title_key: `report ${index} on ${index % 100 === 0 ? 'whales' : 'invoices'}.pdf`,
    source_type: 'document',
    status: index % 50 === 0 ? 'failed' : 'successful',
    status_reason: index % 50 === 0 ? 'The file is encrypted' : null,
    blob_key: sha256(`blob ${index}`),
    file_name: `report-${index}.pdf`,
    media_type: 'application/pdf',
    size_bytes: 100_000 + index,
    sha256: sha256(`file ${index}`),
    parsed_blob_key: sha256(`parsed ${index}`),
    index_generation: 1,
    indexed_folder_id: idOf('folder', folderOf(index)),
    chunk_count: 20,
    virtual_user_id: index % 10 === 0 ? idOf('person', index % PEOPLE) : null,
    ...made(index),
  }))
}

/** Folder 0 is shared with all others, each of which shares one with us; and integrations have folders of their own. */
function seedSharing(bulk: Bulk, { organizationId }: Owner): void {
  const at = timeOf(0)
  const other = (index: number) => idOf('organization', index)
  const received = (index: number) => FOLDERS + INTEGRATIONS + index
  bulk.fill('organization', OTHERS, (index) => ({ id: other(index), name: `Other ${index}`, created_at: at }))
  bulk.fill('folder', OTHERS, (index) => folderRow(other(index), received(index), undefined))
  const share = (from: string, folder: number, to: string) => ({
    organization_id: from,
    folder_id: idOf('folder', folder),
    recipient_id: to,
    created_at: at,
  })
  bulk.fill('folder_share', OTHERS, (index) => share(organizationId, 0, other(index)))
  bulk.fill('folder_share', OTHERS, (index) => share(other(index), received(index), organizationId))
  bulk.fill('folder', INTEGRATIONS, (index) => ({
    ...folderRow(organizationId, FOLDERS + index, undefined),
    integration_id: idOf('integration', index),
  }))
  bulk.fill('integration', INTEGRATIONS, (index) => ({
    id: idOf('integration', index),
    organization_id: organizationId,
    kind: 'directory',
    folder_id: idOf('folder', FOLDERS + index),
    config: '{"path":"/srv/documents"}',
    status: 'idle',
    error_message: null,
    generation: 1,
    last_synced_at: null,
    ...made(index),
  }))
}

function seedAgents(bulk: Bulk, { organizationId, workspaceId }: Owner): void {
  bulk.fill('agent', AGENTS, (index) => ({
    id: idOf('agent', index),
    organization_id: organizationId,
    workspace_id: workspaceId,
    name: `Agent ${index}`,
    name_key: `agent ${index}`,
    description: 'Answers questions',
    instructions: 'Answer in short sentences.',
    model: 'openai-compatible/scripted',
    knowledge_base_ids: '[]',
    tools: null,
    visibility: 'private',
    ...made(index),
    deleted_at: null,
  }))
  const ofAgent = { organization_id: organizationId, agent_id: idOf('agent', 0) }
  bulk.fill('agent_job', JOBS, (index) => ({
    id: idOf('job', index),
    ...ofAgent,
    name: `Job ${index}`,
    instructions: 'Sum up what was said.',
    tools: null,
    ...made(index),
  }))
  bulk.fill('agent_shortcut', SHORTCUTS, (index) => ({
    id: idOf('shortcut', index),
    ...ofAgent,
    name: `Shortcut ${index}`,
    prompt: 'Sum up {{what}}.',
    fields: '[{"name":"what","type":"text","required":true}]',
    job_id: idOf('job', index % JOBS),
    ...made(index),
  }))
}

function seedChats(bulk: Bulk, { organizationId, workspaceId }: Owner, { chats, messages }: Plan): void {
  const metadataOf = (index: number) => ({ tier: index % 2 ? 'free' : 'gold', ticket: `T-${index}` })
  bulk.fill('chat', chats, (index) => ({
    id: idOf('chat', index),
    organization_id: organizationId,
    workspace_id: workspaceId,
    agent_id: idOf('agent', agentOf(index)),
    title: `Question ${index} about ${index % 100 === 0 ? 'whales' : 'invoices'}`,
    title_key: `question ${index} about ${index % 100 === 0 ? 'whales' : 'invoices'}`,
    chat_type: chatTypeOf(index),
    metadata: JSON.stringify(metadataOf(index)),
    has_files: 0,
    last_message_at: timeOf(scatter(index, chats)),
    message_count: 1 + scatter(index, 40),
    total_tokens: scatter(index, 100_000),
    ...made(index),
  }))
  for (const key of ['tier', 'ticket'] as const) {
    bulk.fill('chat_metadata', chats, (index) => ({
      organization_id: organizationId,
      chat_id: idOf('chat', index),
      key,
      value: metadataOf(index)[key],
    }))
  }
  const queries = Array.from({ length: 50 }, (_, index) => textOf(index + 1, 60))
  const answers = Array.from({ length: 50 }, (_, index) => textOf(index + 101, 600))
  const events = JSON.stringify([{ type: 'response', text: wordsOf(80), sequence_number: 1 }])
  bulk.fill('message', messages, (index) => {
    const chat = chatOf(index, chats)
    const person = personOf(index)
    return {
      id: idOf('message', index),
      organization_id: organizationId,
      chat_id: idOf('chat', chat),
      agent_id: idOf('agent', agentOf(chat)),
      query: queries[scatter(index, 50)]!,
      response: answers[scatter(index + 3, 50)]!,
      reasoning: '',
      message_type: 'ai_chat',
      status: index % 10_000 === 7 ? 'waiting' : 'completed',
      error_message: index % 500 === 3 ? 'The model is not reached' : null,
      is_pinned: 0,
      virtual_user_id: nullable(person === undefined ? undefined : idOf('person', person)),
      mode: 'blocking',
      job_id: null,
      quick_action_id: null,
      quick_action_fields: '[]',
      output_count: 0,
      feedback_rating: index % 40 === 0 ? 'up' : index % 400 === 1 ? 'down' : null,
      feedback_comment: null,
      citations: '[]',
      events,
      fingerprint: 'f'.repeat(64),
      process_id: idOf('agent', 0),
      model: 'openai-compatible/scripted',
      input_tokens: 900,
      cached_input_tokens: 300,
      output_tokens: 150,
      reasoning_tokens: 0,
      ...made(index),
    }
  })
}

function seedDeliveries(bulk: Bulk, { organizationId, workspaceId }: Owner, { messages }: Plan): void {
  bulk.fill('webhook_delivery', DELIVERIES, (index) => ({
    id: idOf('delivery', index),
    organization_id: organizationId,
    workspace_id: workspaceId,
    message_id: idOf('message', scatter(index, messages)),
    url: 'https://example.com/hooks/answers',
    origin: 'https://example.com',
    status: statusOf(index),
    error_message: statusOf(index) === 'failed' ? 'the receiver answered 500' : null,
    turn: 1,
    tries: 1,
    attempts: 1,
    is_parked: 0,
    next_attempt_at: null,
    delivered_at: statusOf(index) === 'failed' ? null : timeOf(index),
    ...made(index),
  }))
}

/** Half of them of keys, half of people. */
function seedQuotas(bulk: Bulk, { organizationId, workspaceId }: Owner): void {
  bulk.fill('quota', QUOTAS, (index) => ({
    id: idOf('quota', index),
    organization_id: organizationId,
    workspace_id: workspaceId,
    subject_type: index % 2 ? 'api_key' : 'virtual_user',
    subject_id: idOf(index % 2 ? 'key' : 'person', 1 + index),
    period: 'month',
    max_messages: 1_000_000,
    max_tokens: null,
    max_cost_micros: 10_000_000,
    ...made(index),
  }))
}
