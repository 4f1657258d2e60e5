import { expect, test } from 'vitest'
import { startTestChat } from '../../support/chats/chat.ts'
import { freshDatabase } from '../../support/database/postgres.ts'
import { startTestApp } from '../../support/test-app.ts'

const ROUNDS = 5

async function startWithAgent() {
  const app = await startTestChat()
  const agent = `/agents/${app.agentId}`
  const made = async (path: string, body: object) => `${path}/${(await app.succeed('POST', path, body)).data.id}`
  return { ...app, agent, made }
}

test.each([
  ['a job', 'jobs', { name: 'Old', instructions: 'Old' }, { name: 'New' }, { instructions: 'New' }],
  ['a shortcut', 'shortcuts', { name: 'Old', prompt: 'Old' }, { name: 'New' }, { prompt: 'New' }],
])('two changes of %s at once both count', async (_what, parts, before, one, other) => {
  const { agent, made, succeed } = await startWithAgent()
  for (let round = 0; round < ROUNDS; round++) {
    const part = await made(`${agent}/${parts}`, before)
    await Promise.all([one, other].map((change) => succeed('PATCH', part, change)))
    expect((await succeed('GET', part)).data).toMatchObject({ ...one, ...other })
  }
})

test('a job that is deleted while shortcuts take it up is gone, and no shortcut has it', async () => {
  const { agent, made, call, succeed } = await startWithAgent()
  for (let round = 0; round < ROUNDS; round++) {
    const job = await made(`${agent}/jobs`, { name: 'Summary' })
    const shortcut = await made(`${agent}/shortcuts`, { name: 'Today', prompt: 'What is new?' })
    const job_id = job.split('/').at(-1)
    const replies = await Promise.all([
      call('DELETE', job),
      call('PATCH', job, { name: 'Overview' }),
      call('PATCH', shortcut, { job_id }),
      call('POST', `${agent}/shortcuts`, { name: 'Later', prompt: 'And now?', job_id }),
    ])
    expect(replies[0].status).toBe(200)
    for (const { status, body } of replies) expect([200, 404], JSON.stringify(body)).toContain(status)
    expect((await call('GET', job)).status).toBe(404)
    const { shortcuts } = (await succeed('GET', `${agent}/shortcuts?page_size=100`)).data
    expect(shortcuts.filter((one: any) => one.job_id === job_id)).toEqual([])
  }
})

test('a person is erased while another process takes a file of theirs', async () => {
  const settings = { DATABASE_URL: await freshDatabase() }
  const [{ call, owner }, other] = [await startTestApp(settings), await startTestApp(settings)]
  const people = `/workspaces/${owner.workspaceId}/virtual-users`
  for (let round = 0; round < ROUNDS; round++) {
    const email = `ada${round}@example.com`
    const { id } = (await call('POST', people, { email })).body.data
    const form = new FormData()
    form.append('virtual_user_email', email)
    form.append('file', new Blob(['Hello']), 'hello.txt')
    const [erased, uploaded, again] = await Promise.all([
      call('POST', `${people}/${id}/erase`),
      other.call('POST', '/uploaded-files', form, { key: owner.apiKey }),
      other.call('POST', `${people}/${id}/erase`, undefined, { key: owner.apiKey }),
    ])
    expect([erased.status, again.status].sort(), JSON.stringify([erased.body, again.body])).toEqual([200, 404])
    expect(uploaded.status).toBe(200)
  }
})
