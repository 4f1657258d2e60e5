import { afterAll, beforeAll, expect, test } from 'vitest'
import { passage } from '../../../tests/support/search/passages.ts'
import { openTestEngine } from '../../../tests/support/search/search-engine.ts'
import type { LanceEngine } from './lance-engine.ts'

const SEAL = 'KX-4471-B is the hydraulic seal of the press.'
const VALVE = 'QW7702 is the valve of the tank.'
const LIST = 'The press takes 4471 tons; B is its row, and KX its hall.'

let engine: LanceEngine
let close: () => Promise<void>

beforeAll(async () => {
  ;({ engine, close } = await openTestEngine())
  await engine.add('parts', [passage(SEAL), passage(VALVE), passage(LIST)])
})
afterAll(() => close())

const search = async (text: string) => {
  const { hits, terms } = await engine.search('parts', { text, limit: 3 })
  return [hits[0]?.text, ...terms.map(({ term }) => term)]
}

test('a code is found however its parts are written, before and after it is indexed', async () => {
  const ask = async () => [
    await search('kx4471b'),
    await search('What is KX4471-B?'),
    await search('What is QW-7702?'),
    await search('KX-4471-B'),
  ]
  const expected = [
    [SEAL, 'kx', '4471', 'b'],
    [SEAL, 'kx', '4471', 'b'],
    [VALVE, 'qw7702'],
    [SEAL, 'kx', '4471', 'b'],
  ]
  expect(await ask()).toEqual(expected)
  await engine.maintain('parts')
  expect(await ask()).toEqual(expected)
})

test('a code of which no passage has the parts side by side stays as it was asked', async () => {
  expect(await search('What is KX4471C?')).toEqual([undefined, 'kx4471c'])
  expect((await search('Is the press KX7702?')).slice(1)).toEqual(['press', 'kx7702'])
})

test('of two codes that differ in their signs alone the one that was asked for is taken, also a new one', async () => {
  await engine.add('parts', [passage('QW-7702 is the lid of the tank.')])
  expect(await search('QW7702')).toEqual([VALVE, 'qw7702'])
  expect(await search('QW-7702')).toEqual(['QW-7702 is the lid of the tank.', 'qw', '7702'])
})
