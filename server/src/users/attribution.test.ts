import { expect, test } from 'vitest'
import { startTestApp } from '../../tests/support/test-app.ts'
import { AttributionEmail, createEnsureVirtualUser } from './attribution.ts'

async function start() {
  const { services, owner } = await startTestApp({}, { work: false })
  const { db, newId, clock } = services
  const ensureVirtualUser = createEnsureVirtualUser({ newId, clock })
  const ensure = (email: string, workspaceId = owner.workspaceId) =>
    services.writes.commit((tx) => ensureVirtualUser(tx, owner.organizationId, workspaceId, email))
  const secondWorkspace = newId()
  await db
    .insertInto('workspace')
    .values({ id: secondWorkspace, organization_id: owner.organizationId, name: 'Second', created_at: '' })
    .execute()
  const rows = () => db.selectFrom('virtual_user').selectAll().execute()
  const remove = (id: string) =>
    db.updateTable('virtual_user').set({ deleted_at: '2026-01-01T00:00:00.000Z' }).where('id', '=', id).execute()
  return { ensure, rows, remove, secondWorkspace, owner }
}

test('the first use of an e-mail makes a profile, later ones find it whatever the case', async () => {
  const { ensure, rows } = await start()
  const id = await ensure('Ada@Example.com')
  expect(await ensure('ada@example.com')).toBe(id)
  expect(await rows()).toMatchObject([{ id, email: 'Ada@Example.com', email_key: 'ada@example.com', name: null }])
})

test('fifty uses at once make one', async () => {
  const { ensure, rows } = await start()
  const ids = await Promise.all(Array.from({ length: 50 }, () => ensure('ada@example.com')))
  expect(new Set(ids).size).toBe(1)
  expect(await rows()).toHaveLength(1)
})

test('a removed profile is restored', async () => {
  const { ensure, rows, remove } = await start()
  const id = await ensure('ada@example.com')
  await remove(id)
  expect(await ensure('ADA@example.com')).toBe(id)
  expect((await rows())[0]!.deleted_at).toBeNull()
})

test('a profile that another workspace of the organization has is used, but one of its own comes first', async () => {
  const { ensure, rows, remove, secondWorkspace, owner } = await start()
  const elsewhere = await ensure('ada@example.com', secondWorkspace)
  expect(await ensure('ada@example.com')).toBe(elsewhere)
  await remove(elsewhere)
  const own = await ensure('ada@example.com')
  expect(own).not.toBe(elsewhere)
  expect((await rows()).find((row) => row.id === own)!.workspace_id).toBe(owner.workspaceId)
  expect(await ensure('ada@example.com', secondWorkspace)).toBe(elsewhere)
  expect(await ensure('ada@example.com')).toBe(own)
})

test.each([' ada@example.com ', "o'brien+tag@mail.example.co.uk", `${'a'.repeat(242)}@example.com`])(
  'the e-mail %j is taken, without blanks around it',
  (email) => {
    expect(AttributionEmail.parse(email)).toBe(email.trim())
  },
)

test.each(['', ' ', 'ada', 'ada@', '@example.com', 'a b@example.com', 'a@b', 'a@example.com,b@example.com', 5, null])(
  'the e-mail %j is refused',
  (email) => {
    expect(AttributionEmail.safeParse(email).success).toBe(false)
  },
)
