import { expect, test } from 'vitest'
import { createFairClaims } from './fair-claims.ts'
import type { ClaimedTask } from './queue.ts'

/** Places for 8 tasks of a queue that holds these, in this order. */
function start() {
  const due: ClaimedTask[] = []
  const running: ClaimedTask[] = []
  const asked: (string[] | undefined)[] = []
  const places = createFairClaims({
    slots: 8,
    async claim(limit, except) {
      asked.push(except)
      const found = due.filter(({ organizationId }) => !except?.includes(organizationId)).slice(0, limit)
      for (const task of found) due.splice(due.indexOf(task), 1)
      return found
    },
  })
  const held = () => {
    const counts = new Map<string, number>()
    for (const { organizationId } of running) counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1)
    return counts
  }
  return {
    asked,
    enqueue(organizationId: string, count: number) {
      for (let id = 0; id < count; id++)
        due.push({ id: `${id}`, kind: 'retrieval.index', organizationId, payload: {}, attempt: 1 })
      places.heard(organizationId)
    },
    /** Claims, and says what runs then. */
    async fill() {
      const { tasks } = await places.claim(held())
      running.push(...tasks)
      return Object.fromEntries(held())
    },
    end(organizationId: string, count = 1) {
      for (let left = count; left > 0; left--)
        running.splice(
          running.findIndex((task) => task.organizationId === organizationId),
          1,
        )
    },
    places,
  }
}

test('one organization takes all places, and is not asked for others again and again', async () => {
  const { enqueue, fill, end, asked } = start()
  enqueue('a', 100)
  expect(await fill()).toEqual({ a: 8 })
  asked.length = 0
  for (let n = 0; n < 5; n++) {
    end('a')
    expect(await fill()).toEqual({ a: 8 })
  }
  expect(asked).toEqual([undefined, undefined, undefined, undefined, undefined])
})

test('another one that comes gets places at once, up to half of them, and keeps them while both have work', async () => {
  const { enqueue, fill, end } = start()
  enqueue('a', 100)
  await fill()
  enqueue('b', 1)
  expect(await fill()).toEqual({ a: 8, b: 1 })
  enqueue('b', 100)
  expect(await fill()).toEqual({ a: 8, b: 4 })
  end('a', 4)
  for (let n = 0; n < 20; n++) {
    end(n % 3 === 0 ? 'b' : 'a')
    expect(await fill()).toEqual({ a: 4, b: 4 })
  }
})

test('a third one comes before what two others have waiting for longer', async () => {
  const { enqueue, fill, end } = start()
  enqueue('a', 100)
  await fill()
  enqueue('b', 100)
  await fill()
  end('a', 4)
  enqueue('c', 2)
  await fill()
  end('a')
  expect(await fill()).toEqual({ a: 3, b: 4, c: 1 })
  end('b')
  expect(await fill()).toEqual({ a: 3, b: 3, c: 2 })
})

test('both that waited before the start come in', async () => {
  const { enqueue, fill } = start()
  enqueue('a', 100)
  enqueue('b', 2)
  expect(await fill()).toEqual({ a: 8, b: 2 })
})
