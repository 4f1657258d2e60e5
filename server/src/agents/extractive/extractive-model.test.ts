import { describe, expect, test } from 'vitest'
import type { ModelDelta, ModelMessage, ModelRequest, ModelTool } from '../../platform/models/model.ts'
import type { FoundPassage, SearchKnowledgeData } from '../../retrieval/search-data.ts'
import { createExtractiveModel, TEXTS } from './extractive-model.ts'

const model = createExtractiveModel()
const searchTool: ModelTool = { name: 'search_knowledge', description: '', parameters: {} }

async function generate(request: Partial<ModelRequest>, signal = new AbortController().signal) {
  const batches: ModelDelta[][] = []
  const turn = await model.generate(
    { messages: [], tools: [searchTool], ...request },
    { onDeltas: (deltas) => batches.push(deltas), signal },
  )
  return { turn, batches }
}

const user = (content: string): ModelMessage => ({ role: 'user', content })
const assistant = (content: string): ModelMessage => ({ role: 'assistant', content })

async function searchFor(...messages: ModelMessage[]): Promise<string | undefined> {
  const { turn, batches } = await generate({ messages })
  expect(batches).toEqual([])
  const [call] = turn.toolCalls
  return call && JSON.parse(call.arguments).query
}

function found(hit: string, fields: Partial<FoundPassage> = {}): FoundPassage {
  return {
    index: 1,
    data_source_id: '0'.repeat(24),
    title: 'Bees.epub',
    location: {},
    text: hit,
    hit,
    score: 10,
    bm25: 10,
    ...fields,
  }
}

function result(data: SearchKnowledgeData | undefined, isError = false): ModelMessage {
  return { role: 'tool', toolCallId: 'call_1', toolName: 'search_knowledge', content: 'text', isError, data }
}

const hive = 'How wide is the hive entrance in winter?'
const terms = ['wide', 'hive', 'entranc', 'winter'].map((term) => ({ term, idf: 3, count: 1 }))
const passage = found(
  'Bees cluster in the cold. The hive entrance is kept eight millimetres wide in winter. Mice stay outside then. Honey is heavy.',
  { index: 7 },
)

async function answerTo(question: string, data: SearchKnowledgeData | undefined, isError = false) {
  return generate({ messages: [user(question), assistant(''), result(data, isError)] })
}

describe('the first turn', () => {
  test('asks the search tool for the question, and for nothing else', async () => {
    const { turn, batches } = await generate({ messages: [{ role: 'system', content: 'Be kind.' }, user(hive)] })
    expect(batches).toEqual([])
    expect(turn).toMatchObject({ text: '', finishReason: 'tool-calls', toolCalls: [{ name: 'search_knowledge' }] })
    expect(turn.toolCalls[0]?.arguments).toBe(JSON.stringify({ query: hive }))
  })

  test('reads a short follow-up together with the question before it', async () => {
    const before = [user(hive), assistant('Eight millimetres wide [1]')]
    expect(await searchFor(...before, user('And in summer?'))).toBe(`${hive} And in summer?`)
    expect(await searchFor(...before, user('why?'))).toBe(`${hive} why?`)
    expect(await searchFor(...before, user('Who built it?'))).toBe(`${hive} Who built it?`)
    expect(await searchFor(...before, user('And in summer?'), assistant('…'), user('and in autumn?'))).toBe(
      `${hive} and in autumn?`,
    )
  })

  test('leaves a question alone that stands by itself', async () => {
    const before = [user(hive), assistant('Eight millimetres wide [1]')]
    for (const question of [
      'How much honey was harvested in 2022?',
      'And how much honey was harvested by the cooperative in 2022?',
      '東京タワーはどこ?',
      'Fire assembly point',
    ]) {
      expect(await searchFor(...before, user(question))).toBe(question)
    }
  })

  test('cuts a pasted document to what the tool takes', async () => {
    const query = await searchFor(user('🍯'.repeat(100_000)))
    expect(query).toBe('🍯'.repeat(1_000))
    expect(await searchFor(user(`x${'🍯'.repeat(100_000)}`))).toBe(`x${'🍯'.repeat(999)}`)
  })

  test('without a search tool says what it can do, and asks when nothing was asked', async () => {
    expect((await generate({ messages: [user(hive)], tools: [] })).turn.text).toBe(TEXTS.noTool)
    expect((await generate({ messages: [user(hive)], toolChoice: 'none' })).turn.text).toBe(TEXTS.noTool)
    expect((await generate({ messages: [user('  ')] })).turn.text).toBe(TEXTS.noQuestion)
  })
})

describe('the answer', () => {
  test('is one sentence with its mark where one is enough', async () => {
    const { turn } = await answerTo(hive, { passages: [passage], terms })
    expect(turn.text).toBe('The hive entrance is kept eight millimetres wide in winter. [7]')
    expect(turn.finishReason).toBe('stop')
  })

  test('names the cells of a table without the bars between them', async () => {
    const row = found('hive: the north hive | entrance: eight millimetres wide in winter', { index: 3 })
    const { turn } = await answerTo(hive, { passages: [row], terms })
    expect(turn.text).toBe('hive: the north hive; entrance: eight millimetres wide in winter [3]')
  })

  test('has each row of a table in a line of its own, and sentences beside them', async () => {
    const rows = found(
      'hive: north | entrance: wide in winter\nhive: south | entrance: wide in winter, too\nThe entrance of a hive is wide in winter.',
      { index: 3 },
    )
    const { turn } = await answerTo('Which hive has a wide entrance in winter?', { passages: [rows], terms })
    expect(turn.text).toBe(
      '- hive: north; entrance: wide in winter [3]\n- hive: south; entrance: wide in winter, too [3]\n\nThe entrance of a hive is wide in winter. [3]',
    )
  })

  test('has each item of a list in a line of its own, as other lines that are no sentences', async () => {
    const list = found(
      '- Keep the entrance wide in winter\n- Cover the hive in winter [4]\nHives are checked in winter.',
    )
    const { turn } = await answerTo('What is done with a hive in winter?', { passages: [list], terms })
    expect(turn.text).toBe('- Keep the entrance wide in winter [1]\n- Cover the hive in winter (4) [1]')
  })

  test('is up to three sentences in the order of the text where several may answer', async () => {
    const several = found(
      'The hive is wide. The entrance is kept wide in winter. Wide entrances suit a hive. A winter hive is not wide.',
    )
    const { turn } = await answerTo('How wide is the hive entrance?', {
      passages: [several],
      terms: terms.slice(0, 3),
    })
    expect(turn.text.match(/\[1\]/g)).toHaveLength(3)
    const quoted = turn.text.split(' [1]').map((sentence) => several.hit.indexOf(sentence.trim()))
    expect(quoted.slice(0, -1)).toEqual(quoted.slice(0, -1).toSorted((a, b) => a - b))
  })

  test('comes in small batches of words that make up the text', async () => {
    const { turn, batches } = await answerTo(hive, { passages: [passage], terms })
    expect(batches.length).toBeGreaterThan(2)
    expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThan(6)
    expect(batches.flat().every(({ type }) => type === 'text')).toBe(true)
    expect(
      batches
        .flat()
        .map(({ text }) => text)
        .join(''),
    ).toBe(turn.text)
    expect(turn.usage).toMatchObject({ inputTokens: 9, outputTokens: 11 })
  })

  test('prefers what the question word asks for', async () => {
    const vague = found('The hive entrance in winter is wide enough. It is cold.', { index: 1 })
    const exact = found('The hive entrance in winter is 8 mm wide. It is cold.', { index: 2, title: 'Other' })
    const { turn } = await answerTo(hive, { passages: [vague, exact], terms })
    expect(turn.text).toBe('The hive entrance in winter is 8 mm wide. [2]')
    const first = { ...vague, hit: 'The hive entrance in winter is wide enough. In 8 of 9 years the hive was wide.' }
    const { turn: one } = await answerTo(hive, { passages: [first, exact], terms })
    expect(one.text).toContain('8 mm wide. [2]')
  })

  test('is the same sentence once, however many documents hold it', async () => {
    const copy = { ...passage, index: 8, score: 9 }
    const { turn } = await answerTo(hive, { passages: [passage, copy], terms })
    expect(turn.text.match(/eight millimetres/g)).toHaveLength(1)
    expect(turn.text).toContain('eight millimetres wide in winter. [7]')
  })

  test('a heading above a passage counts for its sentences', async () => {
    const winter = found('The entrance is 8 mm wide.', { index: 1, location: { heading_path: ['The hive in winter'] } })
    const other = found('The entrance is 30 mm wide. Doors differ.', { index: 2 })
    const { turn } = await answerTo(hive, { passages: [other, winter], terms })
    expect(turn.text).toContain('8 mm wide. [1]')
  })

  test('rows of a table and Japanese are quoted, too', async () => {
    const row = found('name: plum crumble; price: 3.80\nname: apple pie; price: 4.10', { index: 3 })
    const plum = ['price', 'plum', 'crumbl'].map((term) => ({ term, idf: 3, count: 1 }))
    expect((await answerTo('price of the plum crumble?', { passages: [row], terms: plum })).turn.text).toContain(
      'name: plum crumble; price: 3.80 [3]',
    )
    const tower = found('東京タワーは港区にあります。高さは333メートルです。寒い。', { index: 4 })
    const japanese = ['東京', 'タワー'].map((term) => ({ term, idf: 3, count: 1 }))
    expect((await answerTo('東京タワーはどこですか', { passages: [tower], terms: japanese })).turn.text).toContain(
      '東京タワーは港区にあります。 [4]',
    )
  })

  test('cites what it quotes, not what the document cites', async () => {
    const cited = found('The hive entrance is wide[3] in winter.[12][13] Mice stay outside.', { index: 2 })
    expect((await answerTo(hive, { passages: [cited], terms })).turn.text).toBe(
      'The hive entrance is wide(3) in winter. [2]',
    )
  })

  test('is that there is none, when the passages are about something else', async () => {
    const near = found('The hive is heavy. Honey is sweet.', { bm25: 3 })
    expect((await answerTo(hive, { passages: [near], terms })).turn.text).toBe(TEXTS.unanswered)
    const nearer = found('The hive is heavy in winter. A wide hive is heavier.', { bm25: 10 })
    expect((await answerTo(hive, { passages: [nearer], terms })).turn.text).toContain('[1]')
    const ofAnother = 'How wide is the hive entrance of Skerryvore in winter?'
    expect((await answerTo(ofAnother, { passages: [nearer], terms })).turn.text).toBe(TEXTS.unanswered)
    expect((await answerTo(hive, { passages: [], terms })).turn.text).toBe(TEXTS.unanswered)
    expect((await answerTo('the?', { passages: [passage], terms: [] })).turn.text).toBe(TEXTS.unanswered)
  })

  test('tells when the search failed, and does not call it again', async () => {
    for (const { turn } of [await answerTo(hive, undefined), await answerTo(hive, { passages: [], terms }, true)]) {
      expect(turn.text).toBe(TEXTS.failed)
      expect(turn.toolCalls).toEqual([])
    }
  })

  test('belongs to the last question: results of earlier ones are not read again', async () => {
    const { turn } = await generate({
      messages: [user(hive), result({ passages: [passage], terms }), assistant('Eight.'), user('How heavy is honey?')],
    })
    expect(turn.toolCalls).toHaveLength(1)
  })
})

test('an aborted answer stops in the middle', async () => {
  const abort = new AbortController()
  const texts: string[] = []
  const answering = model.generate(
    { messages: [user(hive), result({ passages: [passage], terms })], tools: [searchTool] },
    {
      signal: abort.signal,
      onDeltas: (deltas) => {
        texts.push(...deltas.map(({ text }) => text))
        abort.abort(new Error('cancelled'))
      },
    },
  )
  await expect(answering).rejects.toThrow('cancelled')
  expect(texts.join('')).toBe('The hive entrance is')
})
