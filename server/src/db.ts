import type { Kysely, Transaction } from 'kysely'
import type { ApiKeyTable, OrganizationTable, WorkspaceTable } from './access/access.tables.ts'
import type { AgentJobTable, AgentShortcutTable, AgentTable } from './agents/agents.tables.ts'
import type { ChatTable, MessageTable } from './chats/chats.tables.ts'
import type { DataSourceTable, FolderTable, UploadTable } from './drive/drive.tables.ts'
import type { GroupCommit } from './platform/database/group-commit.ts'
import type { TaskTable } from './queue/queue.tables.ts'
import type { VirtualUserTable } from './users/users.tables.ts'

/** Every feature's tables. Columns are text, integers and reals only, so that SQLite and PostgreSQL hold the same. */
export interface Tables {
  organization: OrganizationTable
  workspace: WorkspaceTable
  api_key: ApiKeyTable
  virtual_user: VirtualUserTable
  folder: FolderTable
  upload: UploadTable
  data_source: DataSourceTable
  agent: AgentTable
  agent_job: AgentJobTable
  agent_shortcut: AgentShortcutTable
  chat: ChatTable
  message: MessageTable
  task: TaskTable
}

/** A connection or a transaction. */
export type Db = Kysely<Tables>
/** A transaction, for what must not stand alone. */
export type Tx = Transaction<Tables>
/** Durable writes that share their disk flush; see `platform/database/group-commit.ts`. */
export type Writes = GroupCommit<Tables>
