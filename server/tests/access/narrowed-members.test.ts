import { expect, test } from 'vitest'
import { folderGrants } from '../support/access/grants.ts'
import { join } from '../support/access/people.ts'
import { startTestChat } from '../support/chats/chat.ts'
import { driveOf } from '../support/drive/drive.ts'
import { everyRow } from '../support/every-row.ts'
import { answer } from '../support/models/model-server.ts'
import { shareTestApps } from '../support/test-app.ts'

shareTestApps()

const KB = '/knowledge-bases'
const SECRET = 'The vault opens with heron.'

async function start() {
  const app = await startTestChat({ script: () => answer('Noted.') })
  const { workspaceId } = app.owner
  const bob = await join(app, { email: 'bob@example.com', role: 'member' })
  const eve = await join(app, { email: 'eve@example.com', role: 'member' })
  const groups = `/groups`
  const newFolder = async (parent?: string): Promise<string> => {
    const name = `Folder ${crypto.randomUUID()}`
    return (await app.succeed('POST', KB, { knowledge_base_name: name, parent_kb_id: parent })).data.id
  }
  const newGroup = async (): Promise<string> => {
    const { body } = await app.call('POST', groups, { name: `Group ${crypto.randomUUID()}` })
    return body.data.id
  }
  const set = (folder: string, grants: Parameters<typeof folderGrants>[1]) =>
    app.succeed('PUT', `${KB}/${folder}/grants`, folderGrants(workspaceId, grants))
  const move = (folder: string, parent: string) => app.succeed('PATCH', `${KB}/${folder}`, { parent_kb_id: parent })
  const endGroup = (group: string) => app.call('DELETE', `${groups}/${group}`)
  async function change(memberId: string, changes: object) {
    const { status } = await app.call('PATCH', `/members/${memberId}`, changes)
    expect(status).toBe(200)
  }

  /** A chat of Bob's in which the secret was said, and how what is asked next reaches the model. */
  async function newTold() {
    const made = await bob.call('POST', `/agents/${app.agentId}/chats`, {})
    const path = `/agents/${app.agentId}/chats/${made.body.data.chat.id}/query`
    async function ask(query: string): Promise<string> {
      const reply = await bob.call('POST', path, { query })
      expect(reply.status, JSON.stringify(reply.body)).toBe(200)
      return JSON.stringify(app.model.requests.findLast((request) => JSON.stringify(request).includes(query)))
    }
    await ask(SECRET)
    expect(await ask('What did I say?')).toContain(SECRET)
    return ask
  }
  const { addFile } = driveOf(app)
  return { ...app, bob, eve, addFile, newFolder, newGroup, set, move, endGroup, change, newTold }
}

type App = Awaited<ReturnType<typeof start>>

/** Changes, each after what has to be there before. */
const changes = (app: App) => ({
  narrowing: {
    async 'everyone loses a folder'() {
      const folder = await app.newFolder()
      return () => app.set(folder, { everyone: 'none' })
    },
    async 'their own entry goes'() {
      const folder = await app.newFolder()
      await app.set(folder, { everyone: 'none', members: [{ id: app.bob.memberId, level: 'read' }] })
      return () => app.set(folder, { everyone: 'none' })
    },
    async 'they leave a group that reads'() {
      const [folder, group] = [await app.newFolder(), await app.newGroup()]
      await app.change(app.bob.memberId, { group_ids: [group] })
      await app.set(folder, { everyone: 'none', groups: [{ id: group, level: 'read' }] })
      return () => app.change(app.bob.memberId, { group_ids: [] })
    },
    async 'they come into a group that does not'() {
      const [folder, group] = [await app.newFolder(), await app.newGroup()]
      await app.set(folder, { groups: [{ id: group, level: 'none' }] })
      return () => app.change(app.bob.memberId, { group_ids: [group] })
    },
    async 'an entry of their group goes'() {
      const [folder, group] = [await app.newFolder(), await app.newGroup()]
      await app.change(app.bob.memberId, { group_ids: [group] })
      await app.set(folder, { everyone: 'none', groups: [{ id: group, level: 'read' }] })
      return () => app.set(folder, { everyone: 'none' })
    },
    async 'their group ends'() {
      const [folder, group] = [await app.newFolder(), await app.newGroup()]
      await app.change(app.bob.memberId, { group_ids: [group] })
      await app.set(folder, { everyone: 'none', groups: [{ id: group, level: 'read' }] })
      return () => app.endGroup(group)
    },
    async 'a folder is moved to where they may not read'() {
      const [folder, closed] = [await app.newFolder(), await app.newFolder()]
      await app.set(closed, { everyone: 'none' })
      return () => app.move(folder, closed)
    },
    async 'a folder is moved out of one that was opened again'() {
      const closed = await app.newFolder()
      const opened = await app.newFolder(closed)
      const folder = await app.newFolder(opened)
      await app.set(closed, { everyone: 'none' })
      await app.set(opened, { everyone: 'read' })
      return () => app.move(folder, closed)
    },
    async 'a file is moved to where they may not read'() {
      const [folder, closed] = [await app.newFolder(), await app.newFolder()]
      const file = await app.addFile(folder, { title: 'vault.txt' })
      await app.set(closed, { everyone: 'none' })
      return () => app.succeed('PATCH', `${KB}/${folder}/data-sources/${file}`, { knowledge_base_id: closed })
    },
    async 'they are no longer an admin'() {
      await app.change(app.bob.memberId, { role: 'admin' })
      return () => app.change(app.bob.memberId, { role: 'member' })
    },
  },
  others: {
    async 'somebody else loses a folder'() {
      const folder = await app.newFolder()
      return () => app.set(folder, { members: [{ id: app.eve.memberId, level: 'none' }] })
    },
    async 'they get more'() {
      const folder = await app.newFolder()
      await app.set(folder, { everyone: 'none' })
      return () => app.set(folder, { everyone: 'none', members: [{ id: app.bob.memberId, level: 'read' }] })
    },
    async 'they may no longer change what they may read'() {
      const folder = await app.newFolder()
      return () => app.set(folder, { everyone: 'read' })
    },
    async 'a folder is moved within what is closed to them'() {
      const closed = await app.newFolder()
      const [one, two] = [await app.newFolder(closed), await app.newFolder(closed)]
      await app.set(closed, { everyone: 'none' })
      return () => app.move(one, two)
    },
    async 'a file is moved between folders that they may read'() {
      const [one, two] = [await app.newFolder(), await app.newFolder()]
      const file = await app.addFile(one, { title: 'open.txt' })
      return () => app.succeed('PATCH', `${KB}/${one}/data-sources/${file}`, { knowledge_base_id: two })
    },
    async 'they come into a group without entries'() {
      const group = await app.newGroup()
      return () => app.change(app.bob.memberId, { group_ids: [group] })
    },
  },
})

const rowsOf = (prepared: Record<string, () => Promise<() => Promise<unknown>>>) =>
  Object.entries(prepared).map(([name, prepare]) => ({ name, prepare }))

test('what was answered to a member before they lost rights is not shown after it, and the chat goes on from there', async () => {
  const app = await start()
  await everyRow(rowsOf(changes(app).narrowing), async ({ prepare }) => {
    const change = await prepare()
    const ask = await app.newTold()
    await change()
    expect(await ask('And what now?')).not.toContain(SECRET)
    const next = await ask('And then?')
    expect(next).toContain('And what now?')
    expect(next).not.toContain(SECRET)
  })
})

test('it is still shown after changes that take nothing from them', async () => {
  const app = await start()
  // They are restricted all the time.
  await app.set(await app.newFolder(), { everyone: 'none' })
  await everyRow(rowsOf(changes(app).others), async ({ prepare }) => {
    const change = await prepare()
    const ask = await app.newTold()
    await change()
    expect(await ask('And what now?')).toContain(SECRET)
  })
})
