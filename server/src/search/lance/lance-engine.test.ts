import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newId, pages, passage } from '../../../tests/support/search/passages.ts'
import { newTestEngine } from '../../../tests/support/search/search-engine.ts'
import type { Passage, SearchEngine, SearchQuery } from '../engine.ts'
import { SearchInputError } from '../errors.ts'
import type { LanceEngine, LanceEngineOptions } from './lance-engine.ts'

let folder: string
let engine: SearchEngine

const open = (options: Partial<LanceEngineOptions> = {}) => newTestEngine(folder, options)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-search-'))
  engine = open()
})

afterEach(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

async function found(text: string, query: Partial<SearchQuery> = {}, space = 'org'): Promise<string[]> {
  return (await engine.search(space, { text, limit: 10, ...query })).hits.map((hit) => hit.text)
}

describe('what is found', () => {
  test('a passage as soon as it is added, with all that was stored of it', async () => {
    const stored = passage('The valve opens at 40 degrees.', { heading: 'Manual > Boiler', location: '{"page":3}' })
    await engine.add('org', [stored])
    const { hits, terms } = await engine.search('org', { text: 'When does the valve open?', limit: 5 })
    const [hit] = hits
    expect(hit).toEqual({
      ...stored,
      score: hit!.bm25 + hit!.bonuses!.closeness,
      bm25: expect.any(Number),
      bonuses: { closeness: expect.any(Number), heading: 0, subject: 0 },
      ranks: { words: 1, reranked: 1, meaning: null },
    })
    expect(terms.map(({ term }) => term)).toEqual(['valv', 'open'])
  })

  test('the same before and after compaction, across many additions', async () => {
    for (const word of ['one', 'two', 'three', 'four']) await engine.add('org', [passage(`valve number ${word}`)])
    const before = await found('valve four')
    await engine.maintain('org')
    await engine.add('org', [passage('valve number five')])
    expect(before).toHaveLength(4)
    expect(before[0]).toBe('valve number four')
    expect(await found('valve')).toHaveLength(5)
    expect((await found('valve five'))[0]).toBe('valve number five')
  })

  test('by heading as well as by text', async () => {
    await engine.add('org', [
      passage('It opens at 40 degrees.', { heading: 'Handbook > Boiler valve' }),
      passage('Other'),
    ])
    expect(await found('boiler')).toEqual(['It opens at 40 degrees.'])
  })

  test('identifiers and their parts, Chinese and Japanese', async () => {
    const texts = [
      'Set ACTIVITY_DOUBLING_DEGREES before the first start.',
      'The sensor answers at meter.local when it is awake.',
      'Order the gasket as HS-7730-L.',
      '東京タワーは港区にあります。',
      '我喜欢吃北京烤鸭。',
      'Cafe\u0301 Mu\u0308ller',
    ]
    await engine.add(
      'org',
      texts.map((text) => passage(text)),
    )
    for (const compacted of [false, true]) {
      if (compacted) await engine.maintain('org')
      expect(await found('ACTIVITY_DOUBLING_DEGREES')).toEqual([texts[0]])
      expect(await found('activity doubling')).toEqual([texts[0]])
      expect(await found('meter.local')).toEqual([texts[1]])
      expect(await found('HS-7730-L')).toEqual([texts[2]])
      expect(await found('7730')).toEqual([texts[2]])
      expect(await found('東京タワーはどこにありますか')).toEqual([texts[3]])
      expect(await found('北京烤鸭')).toEqual([texts[4]])
      expect(await found('cafe muller')).toEqual(['Café Müller'])
    }
  })

  test('the rarer word counts more, and its idf says so', async () => {
    const texts = Array.from({ length: 40 }, (_, index) => `pump report ${index}`)
    await engine.add(
      'org',
      [...texts, 'turbine report'].map((text) => passage(text)),
    )
    await engine.maintain('org')
    const { hits, terms } = await engine.search('org', { text: 'pump turbine unicorn', limit: 1 })
    expect(hits[0]?.text).toBe('turbine report')
    expect(terms.map(({ term, idf }) => [term, Number(idf.toFixed(2))])).toEqual([
      ['pump', 0.04],
      ['turbin', 3.33],
      ['unicorn', 4.43],
    ])
  })

  test('a word that stands nowhere as the nearest one that does, once that is indexed', async () => {
    await engine.add('org', [passage('turbine'), passage('turban'), passage('valve AB-1234'), passage('pump')])
    await engine.maintain('org')
    expect(await found('turbnie')).toEqual(['turbine'])
    expect(await found('turbne pump')).toEqual(expect.arrayContaining(['turbine', 'pump']))
    expect(await found('purbine')).toEqual([])
    expect(await found('AB-1235')).toEqual(await found('AB'))
    await engine.add('org', [passage('the turbnie of Mr Turbnie')])
    expect(await found('turbnie')).toEqual(['the turbnie of Mr Turbnie'])
    const { terms } = await engine.search('org', { text: 'turbne', limit: 5 })
    expect(terms.map(({ term }) => term)).toEqual(['turbn', 'turbin'])
  })

  test('words or vectors, and both best of all', async () => {
    const unit = (...values: number[]) => Float32Array.from(values)
    await engine.add('org', [
      passage('valve', { vector: unit(1, 0, 0) }),
      passage('valve tap', { vector: unit(0, 1, 0) }),
      passage('faucet', { vector: unit(0, 0.8, 0.6) }),
      passage('cheese', { vector: unit(0, 0, 1) }),
    ])
    expect(await found('tap', { vector: unit(0, 1, 0), limit: 2 })).toEqual(['valve tap', 'faucet'])
    expect(await found('the', { vector: unit(0, 0, 1), limit: 1 })).toEqual(['cheese'])
    const { hits } = await engine.search('org', { text: 'valve', vector: unit(0, 0, 1), limit: 4 })
    expect(hits.find(({ text }) => text === 'cheese')).toMatchObject({ bm25: 0 })
  })
})

describe('what is not found', () => {
  test('passages of another space', async () => {
    await engine.add('org-a', [passage('valve of a')])
    await engine.add('org-b', [passage('valve of b')])
    expect(await found('valve', {}, 'org-a')).toEqual(['valve of a'])
    expect(await found('valve', {}, 'org-c')).toEqual([])
  })

  test('passages of other groups and documents', async () => {
    const [a, b, c] = [passage('valve a'), passage('valve b'), passage('valve c')]
    await engine.add('org', [a, b, c])
    const others = Array.from({ length: 5_000 }, newId)
    expect(await found('valve', { groupIds: [b.groupId, ...others] })).toEqual(['valve b'])
    expect(await found('valve', { documentIds: [c.documentId] })).toEqual(['valve c'])
    expect(await found('valve', { groupIds: [a.groupId], documentIds: [c.documentId] })).toEqual([])
    expect(await found('valve', { groupIds: [] })).toEqual([])
    expect((await found('valve', { exceptDocumentIds: [c.documentId] })).sort()).toEqual(['valve a', 'valve b'])
    expect(await found('valve', { groupIds: [a.groupId], exceptDocumentIds: [a.documentId] })).toEqual([])
    expect(await found('valve', { documentIds: [] })).toEqual([])
  })

  test('anything, for text that holds no word of a passage', async () => {
    await engine.add('org', [passage('valve OR pump')])
    const hostile = [
      '',
      ' ',
      '"',
      `' OR 1=1 --`,
      'the of and',
      '\u0000',
      '\ud800',
      '🎉',
      '*',
      'x'.repeat(200_000),
      '^2 ~ ()',
    ]
    for (const text of hostile) expect(await found(text)).toEqual([])
    expect(await found(`pump" AND (body:x OR 'y')^3 ${'word '.repeat(40_000)}`)).toEqual(['valve OR pump'])
  })

  test('removed documents, trimmed ends and earlier versions, compacted or not', async () => {
    const [kept, removed, shortened] = [newId(), newId(), newId()]
    const first = pages(shortened, ['valve old 0', 'valve old 1', 'valve old 2'])
    await engine.add('org', [...pages(kept, ['valve kept']), ...pages(removed, ['valve removed']), ...first])
    await engine.maintain('org')
    await engine.remove('org', [removed, newId()])
    await engine.add('org', [{ ...(first[0] as Passage), text: 'valve new 0' }])
    await engine.trim('org', shortened, 1)
    expect((await found('valve')).sort()).toEqual(['valve kept', 'valve new 0'])
    await engine.maintain('org')
    expect((await found('valve')).sort()).toEqual(['valve kept', 'valve new 0'])
    expect((await engine.documentIds('org')).sort()).toEqual([kept, shortened].sort())
  })
})

describe('changes', () => {
  test('a moved document is found in its new group only', async () => {
    const [document, target] = [newId(), newId()]
    const moved = pages(document, ['valve 0', 'valve 1'])
    const source = moved[0]!.groupId
    await engine.add('org', [...moved, passage('valve elsewhere')])
    for (const compacted of [false, true]) {
      if (compacted) await engine.maintain('org')
      const [from, to] = compacted ? [target, source] : [source, target]
      await engine.move('org', document, to)
      expect(await found('valve', { groupIds: [from] })).toEqual([])
      expect((await found('valve', { groupIds: [to] })).sort()).toEqual(['valve 0', 'valve 1'])
    }
  })

  test('an addition with the same id replaces, also within one call', async () => {
    const original = passage('valve one')
    await engine.add('org', [original, { ...original, text: 'valve two' }])
    await Promise.all(['three', 'four'].map((word) => engine.add('org', [{ ...original, text: `valve ${word}` }])))
    expect(await found('valve')).toEqual(['valve four'])
  })

  test('additions that come together are all found, also those of a space that is not there yet', async () => {
    const added = Array.from({ length: 40 }, (_, index) => passage(`valve ${index}`))
    await Promise.all(added.map((one) => engine.add('org', [one])))
    expect(await engine.documentIds('org')).toHaveLength(40)
  })

  test('searches see every passage and no removed one while others write and the index is compacted', async () => {
    const documents = Array.from({ length: 40 }, () => pages(newId(), ['valve 0', 'valve 1']))
    const gone = new Set<string>()
    let added = 0
    let writing = true
    const writer = (async () => {
      for (const document of documents) {
        await engine.add('org', document)
        added += document.length
        if (added % 10 !== 0) continue
        const { documentId } = document[0] as Passage
        await engine.remove('org', [documentId])
        gone.add(documentId)
        void engine.maintain('org')
      }
      writing = false
    })()
    while (writing) {
      // At most one document is being removed.
      const least = added - gone.size * 2 - 2
      const removed = new Set(gone)
      const { hits } = await engine.search('org', { text: 'valve', limit: 100 })
      expect(hits.length).toBeGreaterThanOrEqual(least)
      expect(hits.filter(({ documentId }) => removed.has(documentId))).toEqual([])
    }
    await writer
    expect(await found('valve', { limit: 100 })).toHaveLength(added - gone.size * 2)
  })

  test('passages that are known to be new are added, found and replaced like others', async () => {
    const document = newId()
    const added = pages(document, ['valve 0', 'valve 1'])
    await Promise.all([
      engine.add('org', added, { areNew: true }),
      engine.add('org', [passage('valve other')]),
      engine.add('org', pages(newId(), ['valve 2']), { areNew: true }),
    ])
    // Two that both believed to be the first.
    await engine.maintain('org')
    await engine.add('org', added, { areNew: true })
    await engine.maintain('org')
    expect((await found('valve')).sort()).toEqual(['valve 0', 'valve 1', 'valve 2', 'valve other'])
    await engine.remove('org', [document])
    expect((await found('valve')).sort()).toEqual(['valve 2', 'valve other'])
  })

  test('everything is there after a restart', async () => {
    const documentId = newId()
    await engine.add('org', pages(documentId, ['valve 0', 'valve 1']))
    await engine.close()
    engine = open()
    expect(await found('valve 1')).toEqual(['valve 1', 'valve 0'])
    await engine.add('org', [passage('valve 2')])
    expect(await found('valve')).toHaveLength(3)
  })

  test('a worn connection is replaced, and what was written is found throughout', async () => {
    await engine.close()
    let connections = 0
    const renewal = {
      minMs: 0,
      /** Read once for each connection. */
      get entries() {
        connections++
        return 0
      },
    }
    engine = open({ renewal })
    for (let round = 1; round <= 10; round++) {
      await engine.add('org', [passage(`valve ${round}`)])
      expect(await found('valve', { limit: 99 })).toHaveLength(round)
      await engine.maintain('org')
      expect(await found('valve', { limit: 99 })).toHaveLength(round)
    }
    expect(connections).toBeGreaterThan(9)
  })

  test('what another process writes is seen where the storage is shared', async () => {
    const [here, there] = [1, 2].map(() => open({ shared: true })) as [LanceEngine, LanceEngine]
    const ask = async () => (await here.search('org', { text: 'valve', limit: 9 })).hits.length
    await here.add('org', [passage('valve 0')])
    await there.add('org', [passage('valve 1')])
    expect(await ask()).toBe(2)
    await there.maintain('org')
    await there.remove('org', await there.documentIds('org'))
    expect(await ask()).toBe(0)
    await Promise.all([here.close(), there.close()])
  })

  test('a table that another process creates is waited for', async () => {
    const other = open({ shared: true })
    const asked: string[] = []
    const waiting = open({
      shared: true,
      async runExclusive(work) {
        asked.push(work)
        if (asked.length === 2) await other.add('org', [passage('valve 0')])
        return false
      },
    })
    await waiting.add('org', [passage('valve 1')])
    expect(asked).toEqual(Array(2).fill(expect.stringMatching(/^creation of org/)))
    expect((await other.search('org', { text: 'valve', limit: 9 })).hits).toHaveLength(2)
    await Promise.all([waiting.close(), other.close()])
  })

  test('compaction and removals at the same time lose nothing and bring nothing back', async () => {
    const documents = Array.from({ length: 30 }, () => pages(newId(), ['valve 0', 'valve 1', 'valve 2']))
    await engine.add('org', documents.flat())
    const removed = documents.slice(0, 20).map(([first]) => first!.documentId)
    for (let round = 0; round < 5; round++) {
      await engine.add(
        'org',
        pages(
          newId(),
          Array.from({ length: 50 }, (_, index) => `pump ${index}`),
        ),
      )
      const ids = removed.slice(round * 4, round * 4 + 4)
      await Promise.all([engine.maintain('org'), ...ids.map((id) => engine.remove('org', [id]))])
    }
    await engine.maintain('org')
    const left = await engine.documentIds('org')
    expect(left).toHaveLength(10 + 5)
    expect(left.filter((id) => removed.includes(id))).toEqual([])
    expect((await engine.search('org', { text: 'valve', limit: 100 })).hits).toHaveLength(30)
  })
})

test('neighbours come in order, each once, and none beyond the document', async () => {
  const [a, b] = [newId(), newId()]
  const texts = ['0', '1', '2', '3', '4']
  await engine.add('org', [
    ...pages(
      a,
      texts.map((text) => `a${text}`),
    ),
    ...pages(
      b,
      texts.map((text) => `b${text}`),
    ),
  ])
  const ranges = [
    { documentId: b, from: 3, to: 9 },
    { documentId: a, from: -2, to: 1 },
    { documentId: a, from: 1, to: 2 },
  ]
  expect((await engine.passages('org', ranges)).map(({ text }) => text)).toEqual(['a0', 'a1', 'a2', 'b3', 'b4'])
  expect(await engine.passages('org', [])).toEqual([])
  expect(await engine.passages('nowhere', ranges)).toEqual([])
})

test('ids and spaces of another form are refused before anything happens', async () => {
  const quote = "' OR '1'='1"
  await engine.add('org', [passage('valve')])
  await expect(engine.add('org', [passage('x', { documentId: quote })])).rejects.toThrow(SearchInputError)
  await expect(engine.remove('org', [quote])).rejects.toThrow(SearchInputError)
  await expect(engine.move('org', newId(), quote)).rejects.toThrow(SearchInputError)
  await expect(engine.trim('org', newId(), Number.NaN)).rejects.toThrow(SearchInputError)
  await expect(found('valve', { groupIds: [quote] })).rejects.toThrow(SearchInputError)
  await expect(found('valve', {}, '../other')).rejects.toThrow(SearchInputError)
  await expect(engine.passages('org', [{ documentId: newId(), from: 0, to: Infinity }])).rejects.toThrow(
    SearchInputError,
  )
  expect(await found('valve')).toEqual(['valve'])
})

test('vectors of another length are refused, and so is their absence', async () => {
  await engine.add('org', [passage('valve', { vector: Float32Array.of(1, 0) })])
  await expect(engine.add('org', [passage('x', { vector: Float32Array.of(1) })])).rejects.toThrow(SearchInputError)
  await expect(engine.add('org', [passage('x')])).rejects.toThrow(SearchInputError)
  await expect(found('valve', { vector: Float32Array.of(1) })).rejects.toThrow(SearchInputError)
})
