import { expect, test } from 'vitest'
import { WriteQueue } from './write-queue.ts'

interface Write {
  kind: 'add' | 'remove'
  size: number
}

function recordingQueue(commit: (writes: Write[]) => Promise<void> = async () => {}) {
  const commits: Write[][] = []
  const queue = new WriteQueue<Write>({
    maxSize: 10,
    sizeOf: ({ size }) => size,
    commit: async (writes) => {
      commits.push(writes)
      await commit(writes)
    },
  })
  return { queue, commits }
}

test('writes that arrive together share a commit', async () => {
  const { queue, commits } = recordingQueue()
  await Promise.all([1, 2, 3].map((size) => queue.push({ kind: 'add', size })))
  expect(commits.map((writes) => writes.length)).toEqual([3])
})

test('while writes go on coming a commit waits for them, until it is full', async () => {
  const { queue, commits } = recordingQueue()
  await queue.push({ kind: 'add', size: 1 })
  const pushed: Promise<void>[] = []
  for (let at = 0; at < 12; at++) {
    pushed.push(queue.push({ kind: 'add', size: 1 }))
    await new Promise((resolve) => setTimeout(resolve, 3))
  }
  await Promise.all(pushed)
  expect(commits.slice(1).map((writes) => writes.length)).toEqual([10, 2])
})

test('the order of different kinds is kept, and a commit holds no more than its size', async () => {
  const { queue, commits } = recordingQueue()
  const writes: Write[] = [
    { kind: 'add', size: 6 },
    { kind: 'add', size: 4 },
    { kind: 'add', size: 1 },
    { kind: 'remove', size: 1 },
    { kind: 'remove', size: 1 },
    { kind: 'add', size: 99 },
  ]
  await Promise.all(writes.map((write) => queue.push(write)))
  expect(commits).toEqual([writes.slice(0, 2), writes.slice(2, 3), writes.slice(3, 5), writes.slice(5)])
})

test('a commit that fails rejects its own writes only', async () => {
  const { queue } = recordingQueue(async ([first]) => {
    if (first?.kind === 'remove') throw new Error('disk full')
  })
  const results = await Promise.allSettled([
    queue.push({ kind: 'add', size: 1 }),
    queue.push({ kind: 'remove', size: 1 }),
    queue.push({ kind: 'add', size: 1 }),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('what must run alone gets its turn under a stream of writes, with none under way', async () => {
  let committing = false
  const { queue } = recordingQueue(async () => {
    committing = true
    await new Promise((resolve) => setTimeout(resolve, 1))
    committing = false
  })
  let streaming = true
  const stream = (async () => {
    while (streaming) await Promise.all([1, 2].map(() => queue.push({ kind: 'add', size: 6 })))
  })()
  expect(await queue.exclusively(async () => committing)).toBe(false)
  streaming = false
  await stream
  await queue.idle()
  expect(queue.isIdle()).toBe(true)
})
