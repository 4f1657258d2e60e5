import { DatabaseSync } from 'node:sqlite'

export type Store = ReturnType<typeof openStore>

const SCHEMA = `
  pragma journal_mode = WAL;
  pragma synchronous = FULL;
  create table if not exists chat (id text primary key, agent_id text, title text, created_at text);
  create table if not exists message (
    place integer primary key, id text unique, chat_id text, query text, response text, status text,
    created_at text, updated_at text);
  create index if not exists message_by_chat on message (chat_id, place);
  create table if not exists file (id text primary key, folder_id text, title text, path text);
  create index if not exists file_by_folder on file (folder_id);
  create virtual table if not exists passage using fts5 (body, title unindexed, folder_id unindexed);
`

/** SQLite with every statement prepared, and one disk flush for all writes of a turn of the event loop. */
export function openStore(path: string) {
  const database = new DatabaseSync(path)
  database.exec(SCHEMA)
  const statement = (sql: string) => database.prepare(sql)
  const statements = {
    addChat: statement('insert into chat values (?, ?, ?, ?)'),
    addMessage: statement(`insert into message values (null, ?, ?, ?, '', 'in_progress', ?, ?)`),
    endMessage: statement(`update message set response = ?, status = 'completed', updated_at = ? where id = ?`),
    countMessages: statement('select count(*) as total from message where chat_id = ?'),
    listMessages: statement('select * from message where chat_id = ? order by place limit ? offset ?'),
    addFile: statement('insert into file values (?, null, null, ?)'),
    findFile: statement('select path from file where id = ?'),
    placeFile: statement('update file set folder_id = ?, title = ? where id = ?'),
    countFiles: statement('select count(*) as total from file where folder_id = ?'),
    addPassage: statement('insert into passage values (?, ?, ?)'),
    search: statement('select title from passage where passage match ? and folder_id = ? order by rank limit 10'),
  }

  let writes: (() => void)[] = []
  let committed: Promise<void> | undefined

  /** Resolves once the write is on disk. */
  function commit(write: () => void): Promise<void> {
    writes.push(write)
    committed ??= new Promise((resolve) => {
      setImmediate(() => {
        const group = writes
        writes = []
        committed = undefined
        database.exec('begin immediate')
        for (const one of group) one()
        database.exec('commit')
        resolve()
      })
    })
    return committed
  }

  return { ...statements, commit }
}
