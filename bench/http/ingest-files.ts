import { setTimeout as delay } from 'node:timers/promises'
import { inParallel } from './load.ts'
import type { Side } from './scenario.ts'
import { markerOf, textOf } from './words.ts'

export const FILES = 200
const CHARACTERS = 20_000
const AT_ONCE = 8
const CHECK_MS = 50
const PATIENCE_MS = 120_000

let folders = 0

/**
 * Uploads the files and waits until all are indexed.
 * @returns finds some of them by a word that only they hold: apart, because to search costs, too
 */
export async function ingestFiles({ api, name }: Side): Promise<() => Promise<void>> {
  const round = folders++
  const folder = await api.createFolder(`${name} ${round}`)
  const seedOf = (index: number) => round * FILES + index + 1
  await inParallel(FILES, AT_ONCE, (index) =>
    api.addFile(folder, `${seedOf(index)}.txt`, textOf(seedOf(index), CHARACTERS)),
  )
  const giveUpAt = performance.now() + PATIENCE_MS
  for (;;) {
    const { total, successful } = await api.countFiles(folder)
    if (total !== FILES) throw new Error(`${total} files in a folder that was given ${FILES}`)
    if (successful === FILES) break
    if (performance.now() > giveUpAt) throw new Error(`${successful} of ${FILES} files indexed, and then no more`)
    await delay(CHECK_MS)
  }
  return () => requireFound(api, folder, seedOf)
}

async function requireFound(api: Side['api'], folder: string, seedOf: (index: number) => number): Promise<void> {
  for (let index = 0; index < FILES; index += FILES / 4) {
    const titles = await api.search(folder, markerOf(seedOf(index)))
    if (titles[0] !== `${seedOf(index)}.txt`) throw new Error(`file ${seedOf(index)}.txt is not found`)
  }
}
