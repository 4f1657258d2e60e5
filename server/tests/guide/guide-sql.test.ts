import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTestChat } from '../support/chats/chat.ts'
import { freshDatabase, postgresAdminUrl } from '../support/database/postgres.ts'
import { query } from '../support/database/postgres-server.ts'
import { readSnippets } from '../support/snippets/read-snippets.ts'
import { ROOT } from '../support/snippets/work-folder.ts'

// SQL that operators are told to run, on a database that a server uses meanwhile and afterwards. docs/snippets.md names
// this file.

const PAGE = 'docs/scaling.md'

test(`the SQL of ${PAGE} divides the messages while the server goes on answering`, async () => {
  const blocks = readSnippets(await readFile(join(ROOT, PAGE), 'utf8')).filter(({ language }) => language === 'sql')
  expect(blocks).toHaveLength(2)
  const url = await freshDatabase()
  const superuser = new URL(await postgresAdminUrl())
  superuser.pathname = new URL(url).pathname
  const { succeed, ask, path, owner, services } = await startTestChat({ settings: { DATABASE_URL: url } })
  const other = await services.access.createOrganization('Other')
  await ask('Before')

  for (const [at, { code }] of blocks.entries()) {
    await query(superuser.href, code.replaceAll("'ID'", `'${owner.organizationId}'`))
    const { message_id } = (await ask(`Gone ${at}`)).body.data
    await succeed('DELETE', `${path}/message/${message_id}`)
    await ask(`After ${at}`)
  }
  const [partition] = await query(superuser.href, 'select distinct tableoid::regclass::text as name from message')
  expect(partition).toEqual({ name: 'message_big' })
  const { messages } = (await succeed('GET', `${path}/messages`)).data
  expect(messages.map((one: { query: string }) => one.query).sort()).toEqual(['After 0', 'After 1', 'Before'])

  // Rows of an organization are still shown to it alone.
  const seenBy = async (id: string) => {
    const bound = new URL(url)
    bound.searchParams.set('options', `-c docent.organization=${id}`)
    return (await query(bound.href, 'select count(*)::int as rows from message'))[0]
  }
  expect([await seenBy(owner.organizationId), await seenBy(other.organizationId)]).toEqual([{ rows: 3 }, { rows: 0 }])
})
