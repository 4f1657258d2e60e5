import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { checkSettings } from '../server/src/config/read-env.ts'
import { s3SettingsOf } from '../server/src/config/s3-config.ts'
import { LanceEngine } from '../server/src/search/lance/lance-engine.ts'
import { isFolder, type LanceStorage } from '../server/src/search/lance/lance-library.ts'
import { lanceOnS3 } from '../server/src/search/lance/lance-s3.ts'
import { takeServingFlags } from '../tools/node.mjs'
import { type Children, createChildren } from './http/children.ts'
import { startS3 } from './scale/installation.ts'
import { createDocuments } from './search-scale/documents.ts'
import { openFloor } from './search-scale/floor.ts'
import { measureIngest, measureSearches, SPACE, sizeMb } from './search-scale/measure.ts'

/**
 * `search-scale [PASSAGES] [--s3] [--cache MIB]`: indexes that many synthetic passages in a temporary folder, or in an
 * S3 server of its own, and prints how fast that was, what it takes, and how long searches take: alone, within one and
 * within thousands of folders, eight at once, and while documents come and go. Beside each search of all, LanceDB is
 * asked the same question by itself: for the best 20 passages, with all that a hit has. `--cache` is the size of
 * LanceDB's caches, as `DOCENT_SEARCH_CACHE_BYTES` sets it.
 */
export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { s3: { type: 'boolean' }, cache: { type: 'string' } },
  })
  const passages = Number(positionals[0] ?? 100_000)
  if (!Number.isSafeInteger(passages) || passages < 1_000) throw new Error('Name how many passages: 1000 or more')
  const cacheMib = values.cache === undefined ? undefined : Number(values.cache)
  if (cacheMib !== undefined && !(cacheMib >= 16)) throw new Error('--cache takes MiB, 16 or more')
  takeServingFlags()
  const folder = await mkdtemp(path.join(tmpdir(), 'docent-search-scale-'))
  const children = createChildren(() => rm(folder, { recursive: true, force: true }))
  try {
    const storage = values.s3 ? await startBucket(children) : { uri: folder }
    await measure({ ...storage, ...(cacheMib && { cacheBytes: cacheMib * 2 ** 20 }) }, passages)
  } finally {
    await children.endAll()
    await rm(folder, { recursive: true, force: true })
  }
}

async function startBucket(children: Children): Promise<LanceStorage> {
  const { settings } = await startS3(children)
  return lanceOnS3(s3SettingsOf(checkSettings(settings))!)
}

async function measure(storage: LanceStorage, passages: number): Promise<void> {
  const engine = new LanceEngine({
    ...storage,
    shared: false,
    onBackgroundError: (error) => {
      throw error
    },
  })
  try {
    const documents = createDocuments(passages)
    await measureIngest(engine, documents)
    if (isFolder(storage)) console.log(`${await sizeMb(storage.uri)} MB on disk\n`)
    await measureSearches(engine, await openFloor(storage, SPACE), documents)
  } finally {
    await engine.close()
  }
}
