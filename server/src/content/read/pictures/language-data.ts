import { createHash, randomUUID } from 'node:crypto'
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { exists, TESSDATA, unpackInstalled } from './ocr-data.ts'
import { LOADABLE } from './ocr-languages.ts'

const unpack = promisify(gunzip)

const VERSION = '1.0.0'
const FETCH_MS = 60_000
const LARGEST_PACKAGE = 64 * 1024 * 1024
const LARGEST_DATA = 128 * 1024 * 1024
/** A registry that did not have it is not asked for it again for this long, and one that did not answer for nothing. */
const AGAIN_MS = 10 * 60_000

/** Place that data for more languages comes from. */
export type LanguageSource = { kind: 'registry'; url: string } | { kind: 'folder'; path: string }

interface LanguageDataOptions {
  cacheFolder: string
  source: LanguageSource | undefined
  outbound: Pick<Outbound, 'request'>
  onFailure(language: string, error: unknown): void
}

/**
 * Puts the data for recognising a language where parsers find it. @param isOnlyAtHand whether only this machine is
 * looked at @returns whether it is there now
 */
export type LoadLanguage = (language: string, isOnlyAtHand?: boolean) => Promise<boolean>

/** Loads data of languages when they are first needed: from installed packages, else from the source. */
export function createLanguageLoader({ cacheFolder, source, outbound, onFailure }: LanguageDataOptions): LoadLanguage {
  const loading = new Map<string, Promise<boolean>>()
  let silentUntil = 0

  async function load(language: string, isOnlyAtHand: boolean): Promise<boolean> {
    const target = path.join(cacheFolder, TESSDATA, `${language}.traineddata`)
    if (await exists(target)) return true
    await mkdir(path.dirname(target), { recursive: true })
    if (await unpackInstalled(language, target)) return true
    if (!source || (source.kind === 'registry' && (isOnlyAtHand || performance.now() < silentUntil))) return false
    // Several processes may do this at once; each renames a whole file into place.
    const part = `${target}.${randomUUID()}.part`
    try {
      if (source.kind === 'folder') await copyFile(path.join(source.path, path.basename(target)), part)
      else await writeFile(part, await fetchData(outbound, source.url, language))
      await rename(part, target)
      return true
    } finally {
      await rm(part, { force: true })
    }
  }

  function forget(language: string): void {
    setTimeout(() => loading.delete(language), AGAIN_MS).unref()
  }

  return (language, isOnlyAtHand = false) => {
    if (!LOADABLE.has(language)) return Promise.resolve(false)
    const known = loading.get(language)
    if (known) return known
    if (isOnlyAtHand) return load(language, true).catch(() => false)
    const loaded = load(language, false).then(
      (isThere) => {
        if (isThere) loading.delete(language)
        else forget(language)
        return isThere
      },
      (error) => {
        forget(language)
        if (error instanceof NotThereError || (error as NodeJS.ErrnoException).code === 'ENOENT') return false
        silentUntil = performance.now() + AGAIN_MS
        onFailure(language, error)
        return false
      },
    )
    loading.set(language, loaded)
    return loaded
  }
}

/** The registry answers, and does not have it. */
class NotThereError extends Error {
  override name = 'NotThereError'
}

/** The data in the npm package of a language, checked against the hash that the registry says it has. */
async function fetchData(outbound: Pick<Outbound, 'request'>, registry: string, language: string): Promise<Buffer> {
  const about = await fetchAll(outbound, `${registry.replace(/\/$/, '')}/@tesseract.js-data%2f${language}`)
  const { tarball, integrity } = JSON.parse(about.toString()).versions?.[VERSION]?.dist ?? {}
  if (typeof tarball !== 'string' || typeof integrity !== 'string')
    throw new NotThereError(`The registry has no version ${VERSION} of it`)
  const packed = await fetchAll(outbound, tarball)
  const [algorithm = '', hash] = integrity.split('-')
  if (algorithm !== 'sha512' || createHash('sha512').update(packed).digest('base64') !== hash)
    throw new Error('The package does not have the hash that the registry names')
  const archive = await unpack(packed, { maxOutputLength: LARGEST_DATA })
  const file = findInTar(archive, `package/${installedPath(language)}`)
  if (!file) throw new Error('The package does not hold the data')
  return unpack(file, { maxOutputLength: LARGEST_DATA })
}

async function fetchAll(outbound: Pick<Outbound, 'request'>, url: string): Promise<Buffer> {
  const reply = await outbound.request(url, { timeoutMs: FETCH_MS, maxReplyBytes: LARGEST_PACKAGE })
  try {
    if (reply.status === 404) throw new NotThereError('The registry does not have it')
    if (reply.status !== 200) throw new Error(`${new URL(url).host} answered ${reply.status}`)
    const pieces: Buffer[] = []
    for await (const piece of reply.body) pieces.push(piece)
    if (reply.isCut) throw new Error('The package is too large')
    return Buffer.concat(pieces)
  } finally {
    reply.close()
  }
}

const BLOCK = 512

/** A file of a tar archive, as npm packs them: names of up to 100 characters, behind each head the bytes. */
export function findInTar(archive: Buffer, wanted: string): Buffer | undefined {
  for (let at = 0; at + BLOCK <= archive.length; ) {
    const name = archive.toString('latin1', at, at + 100).replace(/\0.*$/s, '')
    const size = Number.parseInt(archive.toString('latin1', at + 124, at + 136), 8)
    if (name === '' || !Number.isSafeInteger(size) || size < 0) return undefined
    const start = at + BLOCK
    if (name === wanted) return archive.subarray(start, start + size)
    at = start + Math.ceil(size / BLOCK) * BLOCK
  }
  return undefined
}

const installedPath = (language: string): string => `4.0.0_best_int/${language}.traineddata.gz`
