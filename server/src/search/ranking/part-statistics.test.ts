import { expect, test } from 'vitest'
import { createPartCounter, type PartSource } from './part-statistics.ts'

/** A space of 10,000 passages, and a folder of it with this many. */
function source(inFolder: number) {
  const folder = { passages: inFolder, body: 'The lamp turns.', samples: 0, counts: 0 }
  const table: PartSource = {
    countPassages: async (filter) => {
      if (filter) folder.counts++
      return filter ? folder.passages : 10_000
    },
    sampleBodies: async (most) => {
      folder.samples++
      return Array.from({ length: Math.min(most, folder.passages) }, () => folder.body)
    },
  }
  return { folder, table }
}

test('words are counted in passages of the part, in scripts without spaces, too', async () => {
  const { folder, table } = source(300)
  folder.body = 'The lamp turns. 灯塔的灯'
  const { passages, sample } = await createPartCounter(table).find('folder')
  expect({ passages, size: sample?.size, averageWords: sample?.averageWords }).toEqual({
    passages: 300,
    size: 200,
    averageWords: 5,
  })
  expect(['lamp', 'turn', 'the', 'rope', '灯塔', '船'].map((term) => sample?.countHolding(term))).toEqual([
    200, 200, 0, 0, 200, 0,
  ])
})

test('a part that is nearly all of the space has no figures of its own, unless both are small', async () => {
  const { folder, table } = source(9_500)
  expect(await createPartCounter(table).find('folder')).toMatchObject({ passages: 9_500, sample: undefined })
  expect(folder.samples).toBe(0)
  table.countPassages = async () => 30
  folder.passages = 30
  expect((await createPartCounter(table).find('folder')).sample?.size).toBe(30)
})

test('passages of a part are counted again after a second, and its words when it has changed or ten minutes are over', async () => {
  let now = 1_000_000
  const { folder, table } = source(100)
  const counter = createPartCounter(table, { now: () => now })
  await counter.find('folder')
  await counter.find('folder')
  expect(folder).toMatchObject({ counts: 1, samples: 1 })

  now += 1_100
  folder.passages = 104
  expect((await counter.find('folder')).passages).toBe(104)
  expect(folder).toMatchObject({ counts: 2, samples: 1 })

  now += 1_100
  folder.passages = 110
  expect((await counter.find('folder')).sample?.size).toBe(110)
  expect(folder).toMatchObject({ counts: 3, samples: 2 })

  now += 601_000
  await counter.find('folder')
  expect(folder).toMatchObject({ counts: 4, samples: 3 })
})

test('a count that takes long is repeated more seldom', async () => {
  let now = 1_000_000
  const { folder, table } = source(100)
  const { countPassages } = table
  table.countPassages = (filter) => {
    now += filter ? 100 : 0
    return countPassages(filter)
  }
  const counter = createPartCounter(table, { now: () => now })
  await counter.find('folder')
  now += 4_800
  await counter.find('folder')
  expect(folder.counts).toBe(1)
  now += 200
  await counter.find('folder')
  expect(folder.counts).toBe(2)
})

test('searches that come together count once, and a count that failed is not remembered', async () => {
  const { folder, table } = source(100)
  const { sampleBodies } = table
  let fails = true
  table.sampleBodies = (count) => (fails ? Promise.reject(new Error('disk')) : sampleBodies(count))
  const counter = createPartCounter(table)
  await expect(counter.find('folder')).rejects.toThrow('disk')
  fails = false
  await Promise.all([counter.find('folder'), counter.find('folder'), counter.find('folder')])
  expect(folder.samples).toBe(1)
})
