import { expect, onTestFinished, test, vi } from 'vitest'
import {
  FILLER,
  HISTORY_TOKENS,
  historyOf,
  pastOf,
  startTalk,
  textOf,
  turnsIn,
} from '../support/chats/remembered-chat.ts'
import { temporaryFolder } from '../support/database/database.ts'
import { answer } from '../support/models/model-server.ts'
import { startTestApp } from '../support/test-app.ts'

test('a short chat is remembered word for word, in order, and nothing is summed up', async () => {
  const { ask, prompts, summaryRequests, settled } = await startTalk()
  for (let i = 0; i < 3; i++) await ask()
  await settled()
  expect(historyOf(prompts[2]!)).toEqual([
    { role: 'user', content: `question 1 ${FILLER}` },
    { role: 'assistant', content: `answer ${FILLER}` },
    { role: 'user', content: `question 2 ${FILLER}` },
    { role: 'assistant', content: `answer ${FILLER}` },
  ])
  expect(summaryRequests).toEqual([])
})

test('older turns are summed up once, and the summary stands for them from then on', async () => {
  const { ask, askUntilSummary, prompts, summaryRequests } = await startTalk()
  const asked = (await askUntilSummary()).length
  const covered = turnsIn(summaryRequests[0]!)
  expect(covered[0]).toBe(1)
  expect(covered.length).toBeGreaterThan(1)
  expect(covered.length).toBeLessThan(asked)

  await ask()
  await ask()
  expect(summaryRequests).toHaveLength(1)
  const prompt = prompts.at(-1)!
  const [first, second] = historyOf(prompt)
  expect(first).toMatchObject({ role: 'user', content: expect.stringContaining(`Record of ${covered.join(', ')}.`) })
  expect(second!.role).toBe('assistant')
  // Every turn is there once: told of by the summary, or word for word.
  expect(turnsIn(prompt)).toEqual(Array.from({ length: asked + 2 }, (_, i) => i + 1).slice(covered.length))
})

test('the next summary is made of the one before and of what came after it', async () => {
  const { ask, askUntilSummary, summaryRequests, settled } = await startTalk()
  await askUntilSummary()
  const covered = turnsIn(summaryRequests[0]!)
  for (let i = 0; i < 12 && summaryRequests.length < 2; i++) {
    await ask()
    await settled()
  }
  const [, second] = summaryRequests
  expect(pastOf(second!)).toBe(`Record of ${covered.join(', ')}.`)
  expect(turnsIn(second!)[0]).toBe(covered.length + 1)
})

test('a history keeps to its budget, newest turns first, when nothing could be summed up', async () => {
  const { ask, prompts, settled } = await startTalk({
    summarize: () => ({ status: 400, body: { error: { message: 'no' } } }),
  })
  for (let i = 0; i < 14; i++) await ask()
  const turns = turnsIn(prompts.at(-1)!)
  expect(turns.at(-1)).toBe(14)
  expect(turns).toEqual(Array.from({ length: turns.length }, (_, i) => 15 - turns.length + i))
  const characters = historyOf(prompts.at(-1)!).reduce((sum, { content }) => sum + content.length, 0)
  expect(characters).toBeGreaterThan(HISTORY_TOKENS * 2)
  expect(characters).toBeLessThan(HISTORY_TOKENS * 5)
  void settled
})

test('a summary outlives the server', async () => {
  const DATA_DIR = await temporaryFolder()
  const first = await startTalk({ settings: { DATA_DIR } })
  await first.askUntilSummary()
  const [summary] = await first.summaries()
  await first.close()
  const again = await startTestApp({
    DATA_DIR,
    DOCENT_HISTORY_TOKENS: String(HISTORY_TOKENS),
    OPENAI_COMPATIBLE_BASE_URL: first.model.openaiUrl,
    DOCENT_MODEL: 'openai-compatible/scripted',
  })
  const { status } = await again.call('POST', `${first.path}/query`, { query: 'Go on' }, { key: first.owner.apiKey })
  expect(status).toBe(200)
  expect(textOf(first.prompts.at(-1)!)).toContain(summary)
  expect(first.summaryRequests).toHaveLength(1)
})

test('a deleted message leaves the summary, which is made anew from what is left', async () => {
  const { ask, askUntilSummary, succeed, summaries, summaryRequests, prompts, path } = await startTalk()
  const ids = await askUntilSummary()
  // So that what is left is too long without a summary.
  await ask()
  await ask()
  await succeed('DELETE', `${path}/message/${ids[1]}`)
  // Gone with the answer to the request, whatever is made of the rest.
  expect((await summaries()).filter((text) => text.includes('Record of 1, 2'))).toEqual([])
  await vi.waitFor(async () => expect(await summaries()).toHaveLength(1), { timeout: 30_000 })
  expect(turnsIn(summaryRequests.at(-1)!)).not.toContain(2)
  expect(pastOf(summaryRequests.at(-1)!)).toBe('')
  await ask()
  expect(textOf(prompts.at(-1)!)).toMatch(/Record of 1, 3/)
  expect(turnsIn(prompts.at(-1)!)).not.toContain(2)
})

test('a message that is deleted while the model sums it up does not come back', async () => {
  let release = () => {}
  const deleted = new Promise<void>((resolve) => {
    release = resolve
  })
  onTestFinished(() => release())
  const { ask, succeed, summaries, summaryRequests, prompts, path, settled } = await startTalk({
    async summarize(prompt, index) {
      if (index === 0) await deleted
      return answer(`Record of ${turnsIn(prompt).join(', ')}.`)
    },
  })
  const ids: string[] = []
  while (summaryRequests.length === 0) {
    ids.push(await ask())
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  expect(turnsIn(summaryRequests[0]!)).toContain(2)
  await succeed('DELETE', `${path}/message/${ids[1]}`)
  release()
  await settled()
  await ask()
  expect((await summaries()).join()).not.toMatch(/\b2\b/)
  expect(turnsIn(prompts.at(-1)!)).not.toContain(2)
  expect(textOf(prompts.at(-1)!)).not.toMatch(/Record of 1, 2/)
})

test('a deletion after what a summary tells of leaves it alone', async () => {
  const { ask, askUntilSummary, succeed, summaries, path } = await startTalk()
  await askUntilSummary()
  const before = await summaries()
  const id = await ask()
  await succeed('DELETE', `${path}/message/${id}`)
  expect(await summaries()).toEqual(before)
})

test('a chat takes its summary with it', async () => {
  const { askUntilSummary, succeed, services, path } = await startTalk()
  await askUntilSummary()
  await succeed('DELETE', path)
  expect(await services.db.selectFrom('chat_memory').selectAll().execute()).toEqual([])
})

test('erasing a person takes what they said out of the summary of a chat that others share', async () => {
  const { ask, askUntilSummary, succeed, summaries, summaryRequests, prompts, owner } = await startTalk()
  await ask(undefined, { virtual_user_email: 'ada@example.com' })
  const bob = { virtual_user_email: 'bob@example.com' }
  await askUntilSummary(bob)
  await ask(undefined, bob)
  await ask(undefined, bob)
  const path = `/workspaces/${owner.workspaceId}/virtual-users`
  const { virtual_users } = (await succeed('GET', `${path}?email=ada@example.com`)).data
  await succeed('POST', `${path}/${virtual_users[0].id}/erase`)
  await vi.waitFor(async () => expect(await summaries()).toHaveLength(1), { timeout: 30_000 })
  expect((await summaries())[0]).toMatch(/^Record of 2/)
  expect(turnsIn(summaryRequests.at(-1)!)).not.toContain(1)
  await ask()
  expect(turnsIn(prompts.at(-1)!)).not.toContain(1)
})

test('a model that cannot sum up fails no answer, and is asked again after the next one', async () => {
  let isUp = false
  const { ask, summaries, summaryRequests } = await startTalk({
    summarize: (prompt) =>
      isUp ? answer(`Record of ${turnsIn(prompt).join(', ')}.`) : { status: 400, body: { error: { message: 'no' } } },
  })
  for (let i = 0; i < 9; i++) await ask()
  await vi.waitFor(() => expect(summaryRequests.length).toBeGreaterThan(0), 30_000)
  expect(await summaries()).toEqual([])
  isUp = true
  await vi.waitFor(
    async () => {
      await ask()
      expect(await summaries()).toHaveLength(1)
    },
    { timeout: 30_000, interval: 200 },
  )
})

test('a huge turn is shortened in its middle and pushes out no other', async () => {
  const { ask, chat, prompts } = await startHuge()
  await ask()
  await chat.ask(`BEGINNING ${'x y z '.repeat(20_000)} ENDING`)
  await ask()
  const text = textOf(prompts.at(-1)!)
  expect(text).toMatch(/BEGINNING[\s\S]*\[… \d+ characters left out …\][\s\S]*ENDING/)
  expect(turnsIn(prompts.at(-1)!)).toEqual([1, 2])
})

async function startHuge() {
  const talk = await startTalk({ summarize: () => ({ status: 400, body: { error: { message: 'no' } } }) })
  return { ...talk, chat: { ask: (query: string) => talk.call('POST', `${talk.path}/query`, { query }) } }
}

test('a message that failed without a word is no turn; one that was cut off is', async () => {
  const { call, ask, path, prompts } = await startTalk({
    reply(prompt) {
      const question = prompt.messages.at(-1)!.content
      if (question === 'fail') return { status: 400, body: { error: { message: 'no' } } }
      if (question === 'break off') return answer('Half of', { cut: true })
      return answer('ok')
    },
  })
  expect((await call('POST', `${path}/query`, { query: 'fail' })).status).toBe(500)
  expect((await call('POST', `${path}/query`, { query: 'break off' })).status).toBe(500)
  await ask()
  expect(historyOf(prompts.at(-1)!)).toEqual([
    { role: 'user', content: 'break off' },
    { role: 'assistant', content: 'Half of' },
  ])
})

test('a prompt that the provider finds too long is sent again with less of the history', async () => {
  const LIMIT = 1500
  const { ask, prompts } = await startTalk({
    settings: { DOCENT_HISTORY_TOKENS: '32000' },
    reply: (prompt) =>
      textOf(prompt).length > LIMIT
        ? { status: 400, body: { error: { message: 'too many tokens', code: 'context_length_exceeded' } } }
        : answer(`answer ${FILLER}`),
  })
  for (let i = 0; i < 6; i++) await ask()
  expect(prompts.length).toBeGreaterThan(6)
  expect(turnsIn(prompts.at(-1)!).at(-1)).toBe(6)
})

test('a model with a small window gets a small history', async () => {
  const { ask, prompts } = await startTalk({
    settings: { DOCENT_HISTORY_TOKENS: '32000', DOCENT_MODEL_CONTEXT_TOKENS: '1500' },
  })
  for (let i = 0; i < 12; i++) await ask()
  const characters = textOf(prompts.at(-1)!).length
  expect(characters).toBeLessThan(1500 * 4)
  expect(turnsIn(prompts.at(-1)!).at(-1)).toBe(12)
})

test('a chat of many short turns is summed up, too', async () => {
  const { succeed, services, path, prompts, summaryRequests, owner, agentId } = await startTalk({
    settings: { DOCENT_HISTORY_TOKENS: '32000' },
    reply: () => answer('ok'),
  })
  const chatId = path.split('/').at(-1)!
  await succeed('POST', `${path}/query`, { query: 'question 60' })
  const [row] = await services.db.selectFrom('message').selectAll().execute()
  const copies = Array.from({ length: 60 }, (_, i) => ({
    ...row!,
    id: (i + 1).toString(16).padStart(24, '0'),
    organization_id: owner.organizationId,
    chat_id: chatId,
    agent_id: agentId,
    query: `question ${i}`,
    created_at: new Date(Date.parse(row!.created_at) - 60_000 + i).toISOString(),
  }))
  await services.db.insertInto('message').values(copies).execute()
  await succeed('POST', `${path}/query`, { query: 'question 61' })
  await vi.waitFor(() => expect(summaryRequests).toHaveLength(1), { timeout: 30_000 })
  await vi.waitFor(async () => {
    await succeed('POST', `${path}/query`, { query: 'question 62' })
    expect(textOf(prompts.at(-1)!)).toContain('Record of 0, 1, 2')
  }, 30_000)
  const verbatim = turnsIn({ messages: historyOf(prompts.at(-1)!).slice(2) })
  expect(verbatim.length).toBeLessThan(30)
  expect(verbatim).not.toContain(5)
  expect(verbatim).toContain(61)
})

test('an answer that was waited for while later turns were summed up is not lost', async () => {
  const { ask, succeed, summaries, summaryRequests, prompts, newAgent, newChat, message } = await startTalk({
    reply(prompt) {
      const last = prompt.messages.at(-1)!
      const asks = last.role === 'user' && last.content.startsWith('question 1 ')
      return asks ? answer({ toolCall: { name: 'ask_person', arguments: { question: 'Really?' } } }) : answer(FILLER)
    },
  })
  const path = await newChat({}, await newAgent({ tools: ['ask_person'] }))
  const waiting = await ask(path)
  expect(await message(waiting, path)).toMatchObject({ ai_resolution_status: 'waiting' })
  for (let i = 0; i < 20 && (await summaries()).length === 0; i++) {
    await ask(path)
    if (summaryRequests.length > 0) await vi.waitFor(async () => expect(await summaries()).toHaveLength(1), 30_000)
  }
  expect((await summaries())[0]).toMatch(/^Record of 2/)

  await succeed('POST', `${path}/message/${waiting}/review`, { decision: 'answer', note: 'Yes.' })
  await vi.waitFor(async () => expect((await summaries())[0]).toMatch(/^Record of 1, 2/), { timeout: 30_000 })
  await ask(path)
  expect(textOf(prompts.at(-1)!)).toContain('Record of 1, 2')
})

test('a summary that a stop of the server cut off is written by the next one', async () => {
  const DATA_DIR = await temporaryFolder()
  const first = await startTalk({
    settings: { DATA_DIR },
    summarize: (prompt, index) =>
      index === 0 ? { silence: true } : answer(`Record of ${turnsIn(prompt).join(', ')}.`),
  })
  for (let i = 0; i < 20 && first.summaryRequests.length === 0; i++) {
    await first.ask()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await first.close()
  const again = await startTestApp({
    DATA_DIR,
    DOCENT_HISTORY_TOKENS: String(HISTORY_TOKENS),
    OPENAI_COMPATIBLE_BASE_URL: first.model.openaiUrl,
    DOCENT_MODEL: 'openai-compatible/scripted',
  })
  await vi.waitFor(
    async () => {
      const rows = await again.services.db.selectFrom('chat_memory').select('summary').execute()
      expect(rows).toEqual([{ summary: expect.stringMatching(/^Record of 1, 2/) }])
    },
    { timeout: 30_000 },
  )
})

test('what summaries took is in the usage of the workspace, and is no message', async () => {
  const { askUntilSummary, succeed, owner } = await startTalk()
  const asked = (await askUntilSummary()).length
  const { total } = (await succeed('GET', `/workspaces/${owner.workspaceId}/usage`)).data
  // The scripted model tells ten tokens for each prompt.
  expect(total).toMatchObject({ messages: asked, input_tokens: (asked + 1) * 10 })
})

test('a very long chat is summed up from its last thousand turns on', async () => {
  const { succeed, services, path, summaryRequests, summaries, owner, agentId } = await startTalk({
    settings: { DOCENT_HISTORY_TOKENS: '32000' },
    reply: () => answer('ok'),
  })
  const chatId = path.split('/').at(-1)!
  await succeed('POST', `${path}/query`, { query: 'question 1300' })
  const [row] = await services.db.selectFrom('message').selectAll().execute()
  for (let start = 0; start < 1300; start += 100) {
    const copies = Array.from({ length: 100 }, (_, i) => ({
      ...row!,
      id: (start + i).toString(16).padStart(24, '0'),
      organization_id: owner.organizationId,
      chat_id: chatId,
      agent_id: agentId,
      query: `question ${start + i}`,
      created_at: new Date(Date.parse(row!.created_at) - 60_000 + start + i).toISOString(),
    }))
    await services.db.insertInto('message').values(copies).execute()
  }
  await succeed('POST', `${path}/query`, { query: 'question 1301' })
  await vi.waitFor(() => expect(summaryRequests).toHaveLength(5), { timeout: 30_000 })
  expect(turnsIn(summaryRequests[0]!)[0]).toBeGreaterThan(250)
  await vi.waitFor(async () => expect((await summaries())[0]).toContain('1280'), { timeout: 30_000 })
})

test('a summary is of one branch: another one is answered without it, and gets its own', async () => {
  const { askUntilSummary, ask, prompts, summaries, summaryRequests, settled, path } = await startTalk()
  const ids = await askUntilSummary()
  const [summary] = await summaries()
  await ask(path, { version_of: ids[0] })
  expect(turnsIn(prompts.at(-1)!)).toEqual([ids.length + 1])
  expect(textOf(prompts.at(-1)!)).not.toContain('Record of')
  // The branch becomes long, too.
  const before = summaryRequests.length
  for (let i = 0; i < 20 && summaryRequests.length === before; i++) {
    await ask()
    await settled()
  }
  await vi.waitFor(async () => expect(await summaries()).not.toEqual([summary]), 30_000)
  const asked = turnsIn(summaryRequests.at(-1)!)
  expect(Math.min(...asked)).toBe(ids.length + 1)
})
