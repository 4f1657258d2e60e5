import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { root } from './node.mjs'

/** Folder in which hashes are kept, each beside the look of its files. */
const KEPT = join(root, 'node_modules/.cache/hashes')
/** File systems tell times this coarsely at worst: a file this young may change again and look the same. */
const YOUNG_MS = 3_000

/**
 * One hash over the names and contents of files and of folders with all below, but for tests; the order does not
 * matter. Contents are read where a file was replaced, or changed in size or time, since the last hash: to read all
 * takes as long as a tenth of a start.
 * @param paths within the checkout; what does not exist counts as nothing
 * @param options folder in which hashes are kept, and the time
 */
export function hashOf(paths, { kept: folder = KEPT, now = Date.now() } = {}) {
  const files = paths.flatMap((path) => filesBelow(join(root, path))).sort()
  const { looks, youngest } = looksOf(files)
  const kept = join(folder, sha256(paths.join('\0')).slice(0, 16))
  const known = readKept(kept)
  if (known?.looks === looks) return known.hash
  const hash = contentHashOf(files)
  if (youngest < now - YOUNG_MS && looksOf(files).looks === looks) keep(kept, { looks, hash })
  return hash
}

const sha256 = (text) => createHash('sha256').update(text).digest('hex')

function contentHashOf(files) {
  const hash = createHash('sha256')
  for (const path of files) {
    const content = readFileSync(path)
    hash.update(`${path.slice(root.length)}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/** Tells files apart as Git does: nobody sets the time of the last change of a file's entry, `ctime`, at will. */
function looksOf(files) {
  let youngest = 0
  let seen = ''
  for (const path of files) {
    const { ino, size, mtimeMs, ctimeMs } = statSync(path)
    youngest = Math.max(youngest, ctimeMs)
    seen += `${path}\0${ino} ${size} ${mtimeMs} ${ctimeMs}\n`
  }
  return { looks: sha256(seen), youngest }
}

function readKept(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

/** Keeps a hash for the next time; contents are read again where nothing can be written. */
function keep(path, known) {
  try {
    mkdirSync(dirname(path), { recursive: true })
    const own = `${path}.${process.pid}`
    writeFileSync(own, JSON.stringify(known))
    renameSync(own, path)
  } catch {}
}

function filesBelow(path) {
  let entries
  try {
    entries = readdirSync(path, { withFileTypes: true })
  } catch (error) {
    if (error.code === 'ENOTDIR') return [path]
    if (error.code === 'ENOENT') return []
    throw error
  }
  return entries
    .filter(({ name }) => !name.endsWith('.test.ts') && !name.endsWith('.test.tsx'))
    .flatMap((entry) => {
      const below = path + sep + entry.name
      return entry.isDirectory() ? filesBelow(below) : [below]
    })
}
