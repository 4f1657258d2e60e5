import pg from 'pg'

const SCHEMA = `
  create table chat (id text primary key, title text, created_at text);
  create table message (id text primary key, chat_id text, query text, response text, status text,
    created_at text, updated_at text);
  create index message_by_chat on message (chat_id, id);
`
const ADD = `insert into message values ($1, $2, $3, '', 'in_progress', $4, $4)`
const ADD_MANY = `insert into message select id, chat_id, query, '', 'in_progress', at, at
  from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as added (id, chat_id, query, at)`
const END = `update message set response = $2, status = 'completed', updated_at = $3 where id = $1`
const END_MANY = `update message set response = ended.text, status = 'completed', updated_at = at
  from unnest($1::text[], $2::text[], $3::text[]) as ended (ended_id, text, at) where id = ended_id`

/** Opens as many connections as Docent has. Every statement has a name and commits by itself. */
export async function openFloorStore(connectionString: string, mode: 'single' | 'batched') {
  const pool = new pg.Pool({ connectionString, max: 10 })
  await pool.query(SCHEMA)
  const run = (name: string, text: string, values: unknown[]) => pool.query({ name, text, values })
  const single = (name: string, text: string) => (row: string[]) => run(name, text, row)
  const write = mode === 'single' ? single : (name: string, _: string, many: string) => batched(run, name, many)
  return {
    addChat: (...values: string[]) => run('chat', 'insert into chat values ($1, $2, $3)', values),
    addMessage: write('add', ADD, ADD_MANY),
    endMessage: write('end', END, END_MANY),
    async listMessages(chatId: string, limit: number, offset: number) {
      const text = 'select * from message where chat_id = $1 order by id limit $2 offset $3'
      return (await run('list', text, [chatId, limit, offset])).rows
    },
  }
}

/** Rows that come while a statement is under way share the next one. */
function batched(run: (name: string, text: string, values: unknown[]) => Promise<unknown>, name: string, text: string) {
  let rows: string[][] = []
  let next: Promise<unknown> | undefined
  let underWay: Promise<unknown> = Promise.resolve()
  return (row: string[]): Promise<unknown> => {
    rows.push(row)
    next ??= underWay.then(() => {
      const taken = rows
      rows = []
      next = undefined
      underWay = run(
        name,
        text,
        row.map((_, column) => taken.map((each) => each[column])),
      )
      return underWay
    })
    return next
  }
}
