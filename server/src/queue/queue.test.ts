import { describe, expect, test } from 'vitest'
import { ORGANIZATION_ID } from '../../tests/support/database/database.ts'
import { openTestQueue, QUEUES, settle } from '../../tests/support/tasks/queues.ts'
import type { ClaimedTask } from './queue.ts'

const INDEX = 'retrieval.index'
const REMOVE = 'drive.remove-blobs'

describe.each(QUEUES)('the queue of %s', (name) => {
  async function start() {
    const opened = await openTestQueue(name)
    const { queue, writes } = opened
    return {
      ...opened,
      index: (generation: number, options?: { delayMs: number }) =>
        writes.commit((tx) => queue.enqueue(tx, ORGANIZATION_ID, INDEX, { dataSourceId: 'x', generation }, options)),
      claimOne: async (): Promise<ClaimedTask> => (await queue.claim(INDEX, 1))[0]!,
    }
  }

  test('a claim takes what is due, of its kind, and no more than asked for', async () => {
    const { queue, writes, index, lapse } = await start()
    for (const generation of [1, 2, 3]) {
      await index(generation)
      await lapse(1)
    }
    await index(4, { delayMs: 1_000 })
    await writes.commit((tx) => queue.enqueue(tx, ORGANIZATION_ID, REMOVE, { blobKeys: ['a'] }))
    const generations = (tasks: ClaimedTask[]) =>
      tasks.map(({ payload }) => (payload as { generation: number }).generation).sort()
    const first = await queue.claim(INDEX, 2)
    expect(first).toMatchObject([{ kind: INDEX, organizationId: ORGANIZATION_ID, attempt: 1 }, { attempt: 1 }])
    expect([generations(first), generations(await queue.claim(INDEX, 9))]).toEqual([[1, 2], [3]])
    await lapse(1_000)
    expect(generations(await queue.claim(INDEX, 9))).toEqual([4])
  })

  test('a claim beside some organizations leaves theirs, however many they are', async () => {
    const { queue, writes, lapse } = await start()
    const enqueue = (organizationId: string, generation: number, options?: { delayMs: number }) =>
      writes.commit((tx) => queue.enqueue(tx, organizationId, INDEX, { dataSourceId: 'x', generation }, options))
    const [b, c] = ['b'.repeat(24), 'c'.repeat(24)]
    const organizations = [b, c].map((id) => ({ id, name: 'x', created_at: '' }))
    if (name === 'the table') await writes.commit((tx) => tx.insertInto('organization').values(organizations).execute())
    for (const generation of [1, 2, 3]) await enqueue(ORGANIZATION_ID, generation)
    for (const generation of [1, 2, 3]) await enqueue(b, generation)
    await enqueue(c, 1)
    await enqueue(c, 2, { delayMs: 1_000 })
    const claim = async (limit: number, except: string[]) =>
      (await queue.claim(INDEX, limit, except)).map(({ organizationId }) => organizationId).sort()
    expect(await claim(2, [ORGANIZATION_ID, c])).toEqual([b, b])
    expect(await claim(9, [ORGANIZATION_ID])).toEqual([b, c])
    expect(await claim(9, [ORGANIZATION_ID])).toEqual([])
    await lapse(1_000)
    expect(await claim(9, [ORGANIZATION_ID, b])).toEqual([c])
    expect(await queue.claim(INDEX, 9)).toHaveLength(3)
  })

  test('claims at the same time never take the same task', async () => {
    const { queue, writes } = await start()
    const payloads = Array.from({ length: 40 }, (_, i) => ({ dataSourceId: 'x', generation: i }))
    await writes.commit(async (tx) => {
      for (const payload of payloads) await queue.enqueue(tx, ORGANIZATION_ID, INDEX, payload)
    })
    const claims = await Promise.all(Array.from({ length: 10 }, () => queue.claim(INDEX, 6)))
    const ids = claims.flat().map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length + (await queue.claim(INDEX, 40)).length).toBe(40)
  })

  test('who lost a task can neither end it nor give it back, nor keep it', async () => {
    const { queue, writes, index, claimOne, lapse, tasks } = await start()
    await index(1)
    const lost = await claimOne()
    await lapse(12_001)
    await queue.due([INDEX])
    const held = await claimOne()
    expect(held).toEqual({ ...lost, attempt: 2 })
    for (const change of [
      () => queue.finish(lost),
      () => writes.commit((tx) => queue.finishIn(tx, lost)),
      () => queue.retry(lost, 'no', 5_000),
      () => queue.bury(lost, 'no'),
      () => queue.release(lost),
    ]) {
      await change()
      expect(await tasks()).toMatchObject([{ state: 'running', attempt: 2, leaseMs: 12_000 }])
    }
    await lapse(1_000)
    expect(await queue.extend([lost, held])).toEqual([lost])
    expect(await tasks()).toMatchObject([{ leaseMs: 12_000 }])
  })

  test('a task that ends in a transaction ends with it, or not at all', async () => {
    const { queue, writes, index, claimOne, tasks } = await start()
    await index(1)
    const task = await claimOne()
    const failing = writes.commit(async (tx) => {
      await queue.finishIn(tx, task)
      throw new Error('the result could not be stored')
    })
    await expect(failing).rejects.toThrow('could not be stored')
    expect(await tasks()).toMatchObject([{ state: 'running', attempt: 1 }])
    await writes.commit((tx) => queue.finishIn(tx, task))
    expect(await tasks()).toEqual([])
  })

  test('tells when the next task of each kind is due, or its lease ends', async () => {
    const { queue, writes, index, claimOne, lapse } = await start()
    expect(await queue.due([INDEX])).toEqual([])
    await index(1, { delayMs: 5_000 })
    await index(2, { delayMs: 7_000 })
    await writes.commit((tx) => queue.enqueue(tx, ORGANIZATION_ID, REMOVE, { blobKeys: ['a'] }, { delayMs: 100 }))
    expect(await queue.due([INDEX])).toEqual([{ kind: INDEX, inMs: 5_000 }])
    expect(await queue.due([INDEX, REMOVE])).toContainEqual({ kind: REMOVE, inMs: 100 })
    await lapse(6_000)
    await claimOne()
    const times = (await queue.due([INDEX])).map(({ inMs }) => inMs).sort((a, b) => a - b)
    expect(times[0]).toBe(1_000)
    expect(times[1]! - 12_000).toBeLessThanOrEqual(1)
  })

  test('counts tasks by kind and state', async () => {
    const { queue, index, claimOne, lapse } = await start()
    for (const generation of [1, 2, 3, 4]) await index(generation)
    await queue.bury(await claimOne(), 'no')
    await claimOne()
    await lapse(2_500)
    const counts = await queue.count()
    expect(counts).toHaveLength(3)
    expect(counts).toContainEqual({ kind: INDEX, state: 'waiting', count: 2, dueForMs: 2_500 })
    expect(counts).toContainEqual(expect.objectContaining({ kind: INDEX, state: 'running', count: 1 }))
    expect(counts).toContainEqual(expect.objectContaining({ kind: INDEX, state: 'dead', count: 1 }))
  })

  test('the dead are listed for their organization, newest first, with what they were', async () => {
    const { queue, index, claimOne, lapse, clock } = await start()
    const madeAt = clock().toISOString()
    await index(1)
    await lapse(10)
    await index(2)
    await queue.bury(await claimOne(), 'one')
    await lapse(10)
    await queue.bury(await claimOne(), 'two')
    const dead = await queue.listDead(ORGANIZATION_ID)
    expect(dead.map(({ last_error }) => last_error)).toEqual(['two', 'one'])
    expect({ ...dead[1], payload: JSON.parse(dead[1]!.payload) }).toEqual({
      id: expect.any(String),
      kind: INDEX,
      payload: { dataSourceId: 'x', generation: 1 },
      attempt: 1,
      last_error: 'one',
      created_at: madeAt,
    })
    expect(await queue.listDead('another'.padEnd(24, '0'))).toEqual([])
  })

  test('the dead are revived once, by however many at a time', async () => {
    const { queue, index, claimOne } = await start()
    await index(1)
    await queue.bury(await claimOne(), 'no')
    const revived = await Promise.all([queue.reviveDead(ORGANIZATION_ID), queue.reviveDead(ORGANIZATION_ID)])
    expect(revived.sort()).toEqual([0, 1])
    expect([(await queue.claim(INDEX, 9)).length, await queue.listDead(ORGANIZATION_ID)]).toEqual([1, []])
  })

  test('a commit is heard, with what it is about, and what was rolled back is not', async () => {
    const { queue, writes, index } = await start()
    const heard: [string, number][] = []
    const end = queue.onEnqueued((kind, delayMs) => heard.push([kind, delayMs]))
    if (name === 'pg-boss') {
      const undone = writes.commit(async (tx) => {
        await queue.enqueue(tx, ORGANIZATION_ID, REMOVE, { blobKeys: ['a'] })
        throw new Error('no')
      })
      await expect(undone).rejects.toThrow('no')
    }
    await index(1)
    await index(2, { delayMs: 70 })
    await expect
      .poll(() => heard)
      .toEqual([
        [INDEX, 0],
        [INDEX, 70],
      ])
    end()
    await index(3)
    await settle(name)
    expect(heard).toHaveLength(2)
  })

  test('what an error says is kept, whatever characters it has', async () => {
    const { queue, index, claimOne, tasks } = await start()
    await index(1)
    await queue.retry(await claimOne(), 'before \0 and \ud800 after', 0)
    expect((await tasks())[0]!.error).toMatch(/^before . and . after$/s)
    await queue.bury(await claimOne(), 'before \0 and \ud800 after')
    expect((await queue.listDead(ORGANIZATION_ID))[0]!.last_error).toMatch(/^before . and . after$/s)
  })
})
