import { expect, test } from 'vitest'
import { startTestChat } from '../../support/chats/chat.ts'
import { driveOf } from '../../support/drive/drive.ts'
import { type Attacker, guessUploads } from '../../support/drive/guess-uploads.ts'
import { answer } from '../../support/models/model-server.ts'

const GUESSES = 300

/** An agent that the whole world may ask, and a key that may do nothing but ask it. */
async function startPublic() {
  const app = await startTestChat({ script: () => answer('Hello') })
  const { call, succeed, owner } = app
  const agentId = await app.newAgent({ visibility: 'public' })
  const limits = { queries_per_minute: 10_000, queries_per_visitor_per_minute: 1_000 }
  const { token } = (await succeed('POST', `/agents/${agentId}/links`, limits)).data
  const as = (key: string): Attacker => ({
    agentId,
    send: (method, path, body) => call(method, path, body, { key }),
  })
  const visitor = async () =>
    as((await call('POST', `/shared/${token}/visits`, {}, { key: null })).body.data.visitor_token)
  const boundKey = async () => {
    const fields = { name: 'Bound', role: 'member', scopes: { agent_ids: [agentId] } }
    return as((await succeed('POST', `/workspaces/${owner.workspaceId}/api-keys`, fields)).data.key)
  }
  const { upload } = driveOf(app)
  return { ...app, visitor, boundKey, uploadOfVictim: () => upload('The salary of Ada is 9,000.', 'salaries.txt') }
}

test('visitors who make ids all the time and guess those between read no file of others', async () => {
  const { visitor, uploadOfVictim } = await startPublic()
  const attackers = [await visitor(), await visitor()]
  const found = await guessUploads({ uploadOfVictim, attackers, guesses: GUESSES })
  expect(found).toMatchObject({ guesses: GUESSES, read: 0, others: {} })
})

test('a key that is bound to an agent reads none either', async () => {
  const { boundKey, uploadOfVictim } = await startPublic()
  const found = await guessUploads({ uploadOfVictim, attackers: [await boundKey()], guesses: GUESSES })
  expect(found).toMatchObject({ guesses: GUESSES, read: 0, others: {} })
})
