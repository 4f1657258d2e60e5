import { describe, expect, test } from 'vitest'
import { answer } from '../support/models/model-server.ts'
import { startRestartable } from '../support/processes/restartable.ts'
import { STACKS } from '../support/processes/stacks.ts'

describe.each(STACKS)('on %s', (stack) => {
  test('a run whose process is killed goes on with the cases that have no answer, and answers and counts none twice', async () => {
    let isAlive = false
    const questions = Array.from({ length: 6 }, (_, number) => `Question ${number}?`)
    const { first, again, agentId, model } = await startRestartable(
      ({ body }) => {
        const asked: string = body.messages.at(-1).content
        const isFirst = questions.indexOf(asked) < 3
        return isAlive || isFirst ? answer(`To ${asked}`) : { silence: true }
      },
      { stack },
    )
    const base = `/agents/${agentId}`
    const cases = questions.map((question) => ({ question }))
    const set = (await first.call('POST', `${base}/evaluation-sets`, { name: 'Set', cases })).body.data.id
    const { workspace } = (await first.call('GET', '/me')).body.data
    const quotas = `/workspaces/${workspace.id}/quotas`
    await first.call('PUT', quotas, { subject: { type: 'workspace' }, period: 'month', max_messages: 6 })
    const run = (await first.call('POST', `${base}/evaluation-sets/${set}/runs`)).body.data.id
    const path = `${base}/evaluation-runs/${run}`
    const of = async (server: typeof first) => (await server.call('GET', path)).body.data
    await expect.poll(async () => (await of(first)).done_count, { timeout: 20_000 }).toBe(3)
    await expect.poll(() => model.requests.length).toBeGreaterThanOrEqual(5)
    await first.end('SIGKILL')
    isAlive = true

    const second = await again()
    await expect.poll(async () => (await of(second)).status, { timeout: 60_000 }).toBe('completed')
    expect(await of(second)).toMatchObject({ done_count: 6, totals: { failed: 0 } })
    const { results } = (await second.call('GET', `${path}/results`)).body.data
    expect(results.map(({ answer: text }: any) => text)).toEqual(questions.map((question) => `To ${question}`))
    const times = (question: string) => model.requests.filter(({ body }) => body.messages.at(-1).content === question)
    for (const question of questions.slice(0, 3)) expect(times(question)).toHaveLength(1)
    expect((await second.call('GET', quotas)).body.data.quotas[0].used.messages).toBe(6)
  })
})
