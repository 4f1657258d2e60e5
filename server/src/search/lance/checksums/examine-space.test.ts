import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../tests/support/database/database.ts'
import { newTestEngine } from '../../../../tests/support/search/search-engine.ts'
import { INDEX_DAMAGES } from '../../../../tests/support/storage/damage.ts'
import type { Passage } from '../../engine.ts'
import { SearchDamagedError } from '../../errors.ts'
import { examineSpace } from './examine-space.ts'

const idOf = (number: number) => number.toString(16).padStart(24, '0')

/** Text of so many different words that changed bytes of an index are likely to be others of the same kind. */
const otherWords = (number: number) =>
  Array.from({ length: 100 }, (_, place) => `w${((number * 100 + place) * 7919).toString(36)}`).join(' ')

const passageOf = (number: number): Passage => ({
  id: idOf(number),
  documentId: idOf(number),
  groupId: idOf(1),
  ordinal: 0,
  heading: '',
  text: `the valve number ${number} opens at forty degrees, unlike ${otherWords(number)}`,
  location: '{}',
})

const enginesOf = (uri: string, suspected: string[] = []) =>
  newTestEngine(uri, { onBackgroundError: () => {}, onSuspect: (space) => suspected.push(space) })

async function indexedFolder(): Promise<string> {
  const folder = await temporaryFolder()
  const engine = enginesOf(join(folder, 'search'))
  await engine.add(
    'org',
    Array.from({ length: 30 }, (_, number) => passageOf(number)),
  )
  await engine.maintain('org')
  await engine.close()
  return folder
}

test('a whole index is sound, one that was never there is absent, and each kind of damage is seen', async () => {
  const whole = await indexedFolder()
  expect(await examineSpace({ uri: join(whole, 'search') }, 'org')).toEqual({ state: 'sound' })
  expect(await examineSpace({ uri: join(whole, 'search') }, 'other')).toEqual({ state: 'absent' })
  for (const [name, damage] of Object.entries(INDEX_DAMAGES)) {
    const folder = await temporaryFolder()
    await cp(join(whole, 'search'), join(folder, 'search'), { recursive: true })
    await damage(folder)
    const { state } = await examineSpace({ uri: join(folder, 'search') }, 'org')
    expect(state, name).toBe(name === 'the table gone' ? 'absent' : 'damaged')
  }
})

test('a search that meets damage says so, a wrong call does not; what is dropped begins anew', async () => {
  const folder = await indexedFolder()
  const suspected: string[] = []
  await INDEX_DAMAGES['data files gone']!(folder)
  const engine = enginesOf(join(folder, 'search'), suspected)
  const search = () => engine.search('org', { text: 'valve', limit: 5 })
  await expect(search()).rejects.toBeInstanceOf(SearchDamagedError)
  await expect(search()).rejects.toBeInstanceOf(SearchDamagedError)
  await expect(engine.add('org', [{ ...passageOf(1), id: 'no id' }])).rejects.not.toBeInstanceOf(SearchDamagedError)
  expect(suspected).toEqual(['org', 'org'])
  await engine.drop('org')
  expect(await search()).toEqual({ hits: [], terms: [], isAbsent: true })
  await engine.drop('org')
  await engine.add('org', [passageOf(7)])
  expect((await search()).hits.map(({ id }) => id)).toEqual([idOf(7)])
  await engine.close()
})

test('a search that LanceDB does not come back from is one of a damaged index', async () => {
  const folder = await indexedFolder()
  const suspected: string[] = []
  const onSuspect = (space: string) => suspected.push(space)
  const uri = join(folder, 'search')
  const engine = newTestEngine(uri, { searchMaxMs: 0, onBackgroundError: () => {}, onSuspect })
  // Loading LanceDB and opening the table are part of it and take longer than no time.
  await expect(engine.search('org', { text: 'valve', limit: 5 })).rejects.toBeInstanceOf(SearchDamagedError)
  expect(suspected).toEqual(['org'])
  await engine.close()
})
