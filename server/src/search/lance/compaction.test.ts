import { expect, test } from 'vitest'
import { Compaction, type CompactionState, compactionDueIn } from './compaction.ts'

const state: CompactionState = {
  unindexedRows: 10,
  changed: true,
  scanned: false,
  sinceLastWriteMs: 0,
  sinceLastRunMs: 60_000,
  lastRunMs: 50,
}

test('nothing is due when nothing changed', () => {
  expect(compactionDueIn({ ...state, changed: false, unindexedRows: 0 })).toBeUndefined()
})

test('it waits for a pause in the writes: short where a run is cheap, at most 10 s', () => {
  expect(compactionDueIn({ ...state, lastRunMs: 0 })).toBe(100)
  expect(compactionDueIn(state)).toBe(1_000)
  expect(compactionDueIn({ ...state, lastRunMs: 5_000 })).toBe(10_000)
  expect(compactionDueIn({ ...state, sinceLastWriteMs: 700 })).toBe(300)
  expect(compactionDueIn({ ...state, sinceLastWriteMs: 2_000 })).toBe(0)
})

test('removals alone are in no hurry', () => {
  expect(compactionDueIn({ ...state, unindexedRows: 0 })).toBe(10_000)
})

test('it does not wait when many rows are scanned: 200 if somebody scans them, 4,000 if not', () => {
  expect(compactionDueIn({ ...state, unindexedRows: 200, scanned: true })).toBe(0)
  expect(compactionDueIn({ ...state, unindexedRows: 200 })).toBe(1_000)
  expect(compactionDueIn({ ...state, unindexedRows: 4_000 })).toBe(0)
})

test('runs take a tenth of a processor at most, and more only when far behind', () => {
  const busy = { ...state, unindexedRows: 4_000, lastRunMs: 1_000, sinceLastRunMs: 4_000 }
  expect(compactionDueIn(busy)).toBe(6_000)
  expect(compactionDueIn({ ...busy, unindexedRows: 8_000 })).toBe(1_000)
})

/** Runs compaction as if there were no other processes. */
async function runUnlessBusy(run: () => Promise<void>): Promise<boolean> {
  await run()
  return true
}

test('a run that loses against writes is tried again, at last with writes held back', async () => {
  const runs: string[] = []
  const compaction = new Compaction({
    run: async () => {
      runs.push('shared')
      throw new Error('Retryable commit conflict')
    },
    runAlone: async () => {
      runs.push('alone')
    },
    runUnlessBusy,
    onError: () => {},
  })
  compaction.wrote(5)
  await compaction.runNow()
  expect(runs).toEqual(['shared', 'shared', 'shared', 'alone'])
  expect(compaction.isIdle()).toBe(true)
})

test('what another process is at is left to it, and looked at again', async () => {
  let isHeldByOther = true
  let runs = 0
  const compaction = new Compaction({
    runUnlessBusy: async (run) => {
      if (!isHeldByOther) await run()
      return !isHeldByOther
    },
    run: async () => void runs++,
    runAlone: async () => {},
    onError: () => {},
  })
  compaction.wrote(5)
  await compaction.runNow()
  expect([runs, compaction.isIdle()]).toEqual([0, false])
  isHeldByOther = false
  await compaction.runNow()
  expect([runs, compaction.isIdle()]).toEqual([1, true])
})

test('it runs by itself after the writes, and what fails there is reported', async () => {
  const told = Promise.withResolvers<unknown>()
  const compaction = new Compaction({
    run: () => Promise.reject(new Error('disk full')),
    runAlone: () => Promise.reject(new Error('disk full')),
    runUnlessBusy,
    onError: told.resolve,
  })
  compaction.wrote(5)
  expect(await told.promise).toMatchObject({ message: 'disk full' })
  await compaction.stop()
})
