import { expect, test } from 'vitest'
import { addMember } from '../../support/access/keys.ts'
import { folder, type Item, startWithDrive } from '../../support/sources/google-drive.ts'

const user = (emailAddress: string) => ({ type: 'user', emailAddress })

/** A drive with these items, and a reader of the folder that they come to. */
async function startWithPeople(items: Record<string, Item>) {
  const app = await startWithDrive(items)
  const [ada, bob] = [await addMember(app, 'ada@example.com'), await addMember(app, 'bob@example.org')]
  const titles = async (as: Pick<typeof ada, 'call'>, folderId: string) => {
    const { body } = await as.call('GET', `/knowledge-bases/${folderId}/data-sources?order_by=title`)
    return body.data.data_sources.map(({ title }: { title: string }) => title)
  }
  return { ...app, ada, bob, titles }
}

test('who may read a file at Google may read it here, and a change there counts with the next sync', async () => {
  const { linkAndSync, sync, items, ada, bob, titles, call, read } = await startWithPeople({
    sub: folder('Sub', 'root'),
    all: { name: 'all.txt', in: 'root', content: 'all' },
    ada: { name: 'ada.txt', in: 'root', content: 'ada', permissions: [user('Ada@Example.com')] },
    domain: {
      name: 'domain.txt',
      in: 'root',
      content: 'domain',
      permissions: [{ type: 'domain', domain: 'example.org' }],
    },
    crew: {
      name: 'crew.txt',
      in: 'root',
      content: 'crew',
      permissions: [{ type: 'group', emailAddress: 'crew@example.com', displayName: 'Crew' }],
    },
    gone: {
      name: 'gone.txt',
      in: 'root',
      content: 'gone',
      permissions: [
        { ...user('ada@example.com'), expirationTime: '2020-01-01T00:00:00Z' },
        { ...user('ada@example.com'), deleted: true },
        { type: 'anyone', view: 'published' },
      ],
    },
  })
  const { id, knowledge_base_id: folderId } = await linkAndSync()
  expect(await titles(ada, folderId)).toEqual(['ada.txt', 'all.txt'])
  expect(await titles(bob, folderId)).toEqual(['all.txt', 'domain.txt'])
  expect(await titles({ call } as any, folderId)).toHaveLength(5)
  const group = (await call('POST', '/groups', { name: 'crew' })).body.data.id
  await call('PATCH', `/members/${bob.memberId}`, { group_ids: [group] })
  expect(await titles(bob, folderId)).toEqual(['all.txt', 'crew.txt', 'domain.txt'])
  const file = (await call('GET', `/knowledge-bases/${folderId}/data-sources`)).body.data.data_sources.find(
    ({ title }: any) => title === 'ada.txt',
  )
  const at = `/knowledge-bases/${folderId}/data-sources/${file.id}/readers`
  expect((await call('GET', at)).body.data).toMatchObject({ from: 'source', can_change: false })
  expect((await call('PUT', at, { readers: null })).body.error_code).toBe('KNOWLEDGE_BASE_LINKED')

  read.length = 0
  items.set('ada', { ...items.get('ada')!, permissions: [user('bob@example.org')] })
  items.set('all', { ...items.get('all')!, in: 'sub', permissions: [user('bob@example.org')] })
  await sync(id)
  expect(read).toEqual([])
  expect(await titles(ada, folderId)).toEqual([])
  expect(await titles(bob, folderId)).toEqual(['ada.txt', 'crew.txt', 'domain.txt'])
  await call('PATCH', `/integrations/${id}`, { config: { obey_access: false } })
  await sync(id)
  expect(await titles(ada, folderId)).toHaveLength(4)
})

test('a shared drive is asked for its permissions once, and for those of items that have their own', async () => {
  const driveId = 'shared'
  const { linkAndSync, ada, bob, titles, asked } = await startWithPeople({
    root: { ...folder('Team', ''), driveId, permissions: [user('ada@example.com'), user('bob@example.org')] },
    a: { name: 'a.txt', in: 'root', content: 'a', driveId, hasAugmentedPermissions: false },
    b: {
      name: 'b.txt',
      in: 'root',
      content: 'b',
      driveId,
      hasAugmentedPermissions: true,
      permissions: [user('ada@example.com')],
    },
    c: { name: 'c.txt', in: 'root', content: 'c', driveId, hasAugmentedPermissions: true },
  })
  const { knowledge_base_id: folderId } = await linkAndSync()
  expect(await titles(ada, folderId)).toEqual(['a.txt', 'b.txt'])
  expect(await titles(bob, folderId)).toEqual(['a.txt'])
  expect(asked.filter(({ url }) => url.pathname.endsWith('/files/a/permissions'))).toEqual([])
})

test('where Google does not say who may read what, that is told before anything is brought', async () => {
  const { link } = await startWithDrive({ root: { ...folder('Handbook', ''), permissions: 'none' } })
  const refused = await link()
  expect(refused.status).toBe(400)
  expect(JSON.stringify(refused.body)).toContain('reader@project.example share this folder')
  expect((await link({ obey_access: false })).status).toBe(200)
})

test('a file of which Google does not say who may read it is brought for owners alone, until it says so', async () => {
  const { linkAndSync, sync, items, ada, titles, call, problems } = await startWithPeople({
    told: { name: 'told.txt', in: 'root', content: 'told' },
    silent: { name: 'silent.txt', in: 'root', content: 'silent', permissions: 'none' },
    link: {
      name: 'link.txt',
      in: 'root',
      mimeType: 'application/vnd.google-apps.shortcut',
      shortcut: { targetId: 'target', targetMimeType: 'text/plain' },
    },
    target: { name: 'target.txt', in: 'elsewhere', content: 'target', permissions: 'none' },
  })
  const linked = await linkAndSync()
  const { id, knowledge_base_id: folderId } = linked
  const owner = { call } as any
  expect(linked.error_message).toContain('2 items may be read by fewer people than at the source')
  expect((await problems(id)).map(({ path, reason }: any) => `${path}: ${reason}`).sort()).toEqual([
    expect.stringContaining('link.txt: it cannot be told who may read it'),
    expect.stringContaining('silent.txt: it cannot be told who may read it'),
  ])
  expect(await titles(owner, folderId)).toEqual(['link.txt', 'silent.txt', 'told.txt'])
  expect(await titles(ada, folderId)).toEqual(['told.txt'])

  items.set('silent', { ...items.get('silent')!, permissions: [user('ada@example.com')] })
  items.set('told', { ...items.get('told')!, permissions: 'none' })
  await sync(id)
  expect(await titles(ada, folderId)).toEqual(['silent.txt'])
  expect(await titles(owner, folderId)).toHaveLength(3)
})
