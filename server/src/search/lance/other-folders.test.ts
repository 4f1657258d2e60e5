import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newId, passage } from '../../../tests/support/search/passages.ts'
import { newTestEngine } from '../../../tests/support/search/search-engine.ts'
import type { SearchEngine } from '../engine.ts'

let folder: string
let engine: SearchEngine

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'docent-search-'))
  engine = newTestEngine(folder)
})

afterEach(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
})

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number)

describe('what a folder finds does not depend on what other folders hold', () => {
  const [own, other] = [newId(), newId()]
  const parts = ['valve', 'pump', 'boiler', 'pipe', 'gauge', 'filter', 'burner', 'tank']
  const manual = numbers(80).map((page) => {
    const part = parts[page % parts.length]
    const text = `Page ${page}: the ${part} is checked every ${page} weeks, and cleaned if the water is hard.`
    return { ...passage(page % 3 ? text : `${text} A ${part} that leaks is replaced at once.`), groupId: own }
  })
  const others = {
    short: numbers(400).map((page) => `${parts[page % 2]} leaks ${page}`),
    long: numbers(400).map((page) => `${'Minutes of a meeting about rents and roofs. '.repeat(page % 20)}Hard ${page}`),
  }
  const questions = ['Which valve leaks?', 'How often is the tank checked?', 'hard water', 'Who leads the meeting?']

  async function ask(beside: readonly string[], text: string) {
    await engine.add(
      'org',
      beside.map((it) => ({ ...passage(it), groupId: other })),
    )
    await engine.add('org', manual)
    await engine.maintain('org')
    const { hits, terms } = await engine.search('org', { text, limit: 10, groupIds: [own] })
    return { hits: hits.map((hit) => `${hit.text} ${hit.score.toFixed(6)}`), terms }
  }

  test.each(questions)('%s', async (question) => {
    const besideShort = await ask(others.short, question)
    await engine.drop('org')
    expect(await ask(others.long, question)).toEqual(besideShort)
  })
})
