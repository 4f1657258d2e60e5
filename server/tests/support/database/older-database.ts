import type { Kysely } from 'kysely'
import { onTestFinished } from 'vitest'
import type { Db, Tables } from '../../../src/db.ts'
import { migrations } from '../../../src/migrations/index.ts'
import { openDatabase } from '../../../src/platform/database/open.ts'
import { acrossOrganizations } from '../../../src/platform/database/statements/across-organizations.ts'
import { temporaryFolder } from './database.ts'
import { freshDatabase } from './postgres.ts'

const at = '2026-01-01T00:00:00.000Z'
const idOf = (name: string) => name.padEnd(24, '0')

export const OLDER = {
  organizationId: idOf('0a'),
  workspaceId: idOf('0b'),
  agentId: idOf('0c'),
}

/** The schema of another version. */
type OlderDb = Kysely<any>

/** A database as the version before a migration left it, with an organization, a workspace and an agent. */
export async function olderDatabase(kind: 'embedded' | 'postgres', before: string) {
  const dataDir = await temporaryFolder()
  const url = kind === 'postgres' ? await freshDatabase() : undefined
  const postgres = url === undefined ? undefined : { url, connections: 4 }
  const names = Object.keys(migrations)
  const earlier = Object.fromEntries(
    names.slice(0, names.indexOf(before)).map((name) => [name, migrations[name]!] as const),
  )
  const open = async <S>(known: typeof migrations) => {
    const { db, close } = await openDatabase<S>({ dataDir, postgres }, known, {})
    let closing: Promise<void> | undefined
    const closeOnce = () => (closing ??= close())
    onTestFinished(closeOnce)
    return { db, close: closeOnce }
  }
  const old = await open<Tables>(earlier)
  await fill(acrossOrganizations(old.db))
  return {
    url,
    dataDir,
    /** Database for rows of the older form. */
    old: acrossOrganizations(old.db) as OlderDb,
    /** Database as the server of that version has it, in use. */
    oldDb: old.db as Db,
    /**
     * Migrates to this version's schema: on PostgreSQL beside the older server, on the embedded database after its end.
     */
    async migrated(): Promise<Db> {
      if (kind === 'embedded') await old.close()
      return (await open<Tables>(migrations)).db
    },
  }
}

async function fill(db: OlderDb): Promise<void> {
  const { organizationId: organization_id, workspaceId: workspace_id, agentId } = OLDER
  await db.insertInto('organization').values({ id: organization_id, name: 'O', created_at: at }).execute()
  await db.insertInto('workspace').values({ id: workspace_id, organization_id, name: 'W', created_at: at }).execute()
  const agent = { name: 'A', name_key: 'a', description: '', instructions: '', knowledge_base_ids: '[]' }
  const made = { created_at: at, updated_at: at }
  await db
    .insertInto('agent')
    .values({ id: agentId, organization_id, workspace_id, ...agent, visibility: 'private', ...made })
    .execute()
}

/** @param name hexadecimal digits, with which its id begins */
export const olderChat = (name: string, more: object = {}) => ({
  id: idOf(name),
  organization_id: OLDER.organizationId,
  workspace_id: OLDER.workspaceId,
  agent_id: OLDER.agentId,
  title: name,
  title_key: name,
  chat_type: 'standard',
  metadata: '{}',
  has_files: 0,
  created_at: at,
  updated_at: at,
  ...more,
})

/** @param name hexadecimal digits, with which its id begins */
export const olderMessage = (name: string, chat: string, more: object = {}) => ({
  id: idOf(name),
  organization_id: OLDER.organizationId,
  chat_id: idOf(chat),
  agent_id: OLDER.agentId,
  query: 'q',
  response: 'r',
  reasoning: '',
  message_type: 'ai_chat',
  status: 'completed',
  is_pinned: 0,
  mode: 'blocking',
  quick_action_fields: '[]',
  output_count: 0,
  citations: '[]',
  events: '[]',
  fingerprint: 'f',
  process_id: 'p',
  model: 'builtin/x',
  input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
  created_at: at,
  updated_at: at,
  ...more,
})
