import { expect, test } from 'vitest'
import { keepWorker, runInWorker, WorkerFailedError } from './run-in-worker.ts'

const entryOf = (code: string) =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort, threadId, workerData } from 'node:worker_threads';${code}`)}`,
  )
const ANSWERS = entryOf(`parentPort.on('message', (task) => {
  if (task === 'break') throw new Error('broken')
  if (task !== 'hang') parentPort.postMessage({ task, threadId, names: Object.keys(process.env) })
})`)
const kept = { entry: ANSWERS, timeoutMs: 60_000, heapMb: 32, idleMs: 60_000 }
type Answer = { task: string; threadId: number; names: string[] }

test('a kept thread does one work after the other, and finds nothing of the environment but where compiled code is', async () => {
  const run = keepWorker<string, Answer>(kept)
  const answers = await Promise.all(['a', 'b', 'c'].map((task) => run(task)))
  expect(answers.map(({ task }) => task)).toEqual(['a', 'b', 'c'])
  expect(new Set(answers.map(({ threadId }) => threadId)).size).toBe(1)
  expect(['', 'NODE_COMPILE_CACHE']).toContain(answers[0]!.names.join())
})

test('work that breaks a kept thread or hangs in it fails, and the next gets another thread', async () => {
  const run = keepWorker<string, Answer>(kept)
  const { threadId } = await run('a')
  await expect(run('break')).rejects.toMatchObject({ name: 'WorkerFailedError', reason: 'crash' })
  const next = await run('b')
  expect(next.threadId).not.toBe(threadId)
  const hasty = keepWorker<string, Answer>({ ...kept, timeoutMs: 50 })
  await expect(hasty('hang')).rejects.toThrow(new WorkerFailedError('timeout'))
})

test('a kept thread ends when nobody used it for a while', async () => {
  const run = keepWorker<string, Answer>({ ...kept, idleMs: 1 })
  const { threadId } = await run('a')
  await expect.poll(async () => (await run('b')).threadId).not.toBe(threadId)
})

test('a thread of its own has its data, is distinguished by how it failed, and goes with the signal', async () => {
  const once = (code: string, signal?: AbortSignal, timeoutMs = 60_000) =>
    runInWorker({ entry: entryOf(code), data: 'given', timeoutMs, heapMb: 32, signal })
  expect(await once('parentPort.postMessage(workerData)')).toBe('given')
  await expect(once('throw new Error()')).rejects.toMatchObject({ reason: 'crash' })
  await expect(once('process.exit(3)')).rejects.toMatchObject({ reason: 'crash' })
  await expect(once('setInterval(() => {}, 1000)', undefined, 50)).rejects.toMatchObject({ reason: 'timeout' })
  await expect(once('for (const all = []; ; ) all.push([1])')).rejects.toMatchObject({ reason: 'memory' })
  const gone = new AbortController()
  const left = once('setInterval(() => {}, 1000)', gone.signal)
  gone.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
})
