import { expect, test } from 'vitest'
import { createReaderListRetention } from '../../../src/drive/files/readers/reader-lists.retention.ts'
import { addMember } from '../../support/access/keys.ts'
import { driveOf } from '../../support/drive/drive.ts'
import { startTestApp } from '../../support/test-app.ts'

const HOUR_MS = 3_600_000

async function start() {
  let now = Date.now()
  const clock = () => new Date(now)
  const app = await startTestApp({}, { work: false, clock })
  const { newFolder, addFile } = driveOf(app)
  const folder = await newFolder('Shelf')
  const [a, b] = [await addFile(folder, { title: 'a' }), await addFile(folder, { title: 'b' })]
  const { db, writes, logger } = app.services
  const set = async (id: string, emails: string[]) => {
    const path = `/knowledge-bases/${folder}/data-sources/${id}/readers`
    const { status, body } = await app.call('PUT', path, { readers: { emails } })
    expect(status, JSON.stringify(body)).toBe(200)
  }
  const ofOrganization = (table: 'reader_list' | 'reader_list_subject') =>
    db.selectFrom(table).selectAll().where('organization_id', '=', app.owner.organizationId).execute()
  return {
    ...app,
    folder,
    a,
    b,
    set,
    sweep: () => createReaderListRetention({ writes, logger, clock }).sweep(),
    pass: (hours: number) => {
      now += hours * HOUR_MS
    },
    lists: async () => (await ofOrganization('reader_list')).map(({ readers }) => JSON.parse(readers).emails[0]).sort(),
    subjects: async () => (await ofOrganization('reader_list_subject')).map(({ subject }) => subject).sort(),
  }
}

test('a list that no file has is removed a day later, with its subjects; one that a file has stays', async () => {
  const { a, b, set, sweep, pass, lists, subjects, folder, ...app } = await start()
  await set(a, ['ada@example.com'])
  await set(b, ['bob@example.com'])
  await set(b, ['cy@example.com'])
  pass(23)
  expect(await sweep()).toBe(0)
  expect(await lists()).toEqual(['ada@example.com', 'bob@example.com', 'cy@example.com'])
  pass(2)
  expect(await sweep()).toBe(1)
  expect(await lists()).toEqual(['ada@example.com', 'cy@example.com'])
  expect(await subjects()).toEqual(['email ada@example.com', 'email cy@example.com'])
  const ada = await addMember(app, 'ada@example.com')
  const titles = async () =>
    (await ada.call('GET', `/knowledge-bases/${folder}/data-sources`)).body.data.data_sources.map(
      ({ title }: any) => title,
    )
  expect(await titles()).toEqual(['a'])
  // It is recreated once a file gets it again.
  await set(b, ['bob@example.com', 'ada@example.com'])
  await set(b, ['bob@example.com'])
  expect(await lists()).toEqual(['ada@example.com', 'bob@example.com', 'bob@example.com', 'cy@example.com'])
  expect(await titles()).toEqual(['a'])
})

test('an old list that a file got again just now is not removed, though that file has another one already', async () => {
  const { a, set, sweep, pass, lists } = await start()
  await set(a, ['ada@example.com'])
  pass(48)
  await set(a, ['bob@example.com'])
  await set(a, ['ada@example.com'])
  await set(a, ['bob@example.com'])
  expect(await sweep()).toBe(0)
  pass(25)
  expect(await sweep()).toBe(1)
  expect(await lists()).toEqual(['bob@example.com'])
})
