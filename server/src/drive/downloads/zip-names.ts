import { withoutDirectionMarks } from '../../platform/text/direction-marks.ts'
import { foldCase } from '../../platform/text/text.ts'
import { extensionOf, shorten } from '../files/naming/file-name.ts'

/** Bytes that file systems allow a name, less some for a number. */
const LONGEST_BYTES = 240

/** A name for each file, in order, by `createZipNamer`. */
export function zipNames(files: { title: string; fileName: string }[]): string[] {
  const nameOf = createZipNamer()
  return files.map(nameOf)
}

/**
 * Names files of one folder, one after the other: each has its title, with the extension of the uploaded file if the
 * title has none; names that would be the same on a file system that ignores case get ` (2)`, ` (3)` before the
 * extension. None has a path.
 */
export function createZipNamer(): (file: { title: string; fileName: string }) => string {
  const taken = new Set<string>()
  /** Number to try next, by name: a thousand files may be called the same. */
  const numbers = new Map<string, number>()
  return ({ title, fileName }) => {
    const full = extensionOf(title) ? title : title + extensionOf(fileName)
    const name = withoutPath(full)
    const extension = extensionOf(name)
    const stem = name.slice(0, name.length - extension.length)
    const key = foldCase(name)
    let free = name
    let number = numbers.get(key) ?? 2
    while (taken.has(foldCase(free))) free = `${stem} (${number++})${extension}`
    numbers.set(key, number)
    taken.add(foldCase(free))
    return free
  }
}

/** A single path segment that every common file system takes. */
function withoutPath(title: string): string {
  const name = withoutDirectionMarks(title)
    .normalize('NFC')
    .toWellFormed()
    .replace(/[/\\:*?"<>|\u0000-\u001f\u007f-\u009f]/g, '_')
    .replace(/[. ]+$/, '')
    .trim()
  if (/^\.*$/.test(name)) return 'file'
  // Names that Windows keeps for devices, whatever follows the first dot.
  const safe = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(name) ? `_${name}` : name
  return fitBytes(safe)
}

function fitBytes(name: string): string {
  let fitting = name
  while (Buffer.byteLength(fitting) > LONGEST_BYTES) fitting = shorten(fitting, fitting.length - 1)
  return fitting
}
