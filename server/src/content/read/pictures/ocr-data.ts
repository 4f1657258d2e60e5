import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { access, mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createGunzip } from 'node:zlib'

/** The smaller of the package's two sets: it recognised more words of rendered pages (98.2 % against 96.9 % at 110 dpi). */
export const TESSDATA = 'tessdata-4.0.0_best_int'

/** Folder with the data for recognising text of some languages, unpacked from their packages when first asked for. */
export async function unpackTessdata(cacheFolder: string, languages: readonly string[]): Promise<string> {
  const folder = path.join(cacheFolder, TESSDATA)
  await mkdir(folder, { recursive: true })
  for (const language of languages) {
    const target = path.join(folder, `${language}.traineddata`)
    if (!(await exists(target)) && !(await unpackInstalled(language, target)))
      throw new Error(`The data of ${language} is not installed`)
  }
  return folder
}

/** @returns false if the package of the language is not installed */
export async function unpackInstalled(language: string, target: string): Promise<boolean> {
  const packed = findInstalled(language)
  if (packed === undefined) return false
  // Several processes may do this at once; each renames a whole file into place.
  const part = `${target}.${randomUUID()}.part`
  try {
    await pipeline(createReadStream(packed), createGunzip(), createWriteStream(part))
    await rename(part, target)
    return true
  } finally {
    await rm(part, { force: true })
  }
}

function findInstalled(language: string): string | undefined {
  const name = `@tesseract.js-data/${language}/${TESSDATA.replace('tessdata-', '')}/${language}.traineddata.gz`
  try {
    return fileURLToPath(import.meta.resolve(name))
  } catch {
    return undefined
  }
}

export async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}
