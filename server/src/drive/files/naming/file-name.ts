import { withoutDirectionMarks } from '../../../platform/text/direction-marks.ts'

const LONGEST = 255

/**
 * The name of an uploaded file without a path and without what a name should not hold: at most 255 characters, the
 * extension kept.
 */
export function cleanFileName(given: string | undefined): string {
  const base = (given ?? '').normalize('NFC').toWellFormed().split(/[/\\]/).at(-1)!
  const clean = withoutDirectionMarks(base)
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, '')
    .trim()
  if (clean === '' || clean === '.' || clean === '..') return 'file'
  return shorten(clean, LONGEST)
}

/** `.pdf` of `Report.pdf`, as it is written; empty if there is none. One of digits alone is a number, as in `v1.2`. */
export const extensionOf = (name: string): string =>
  /[^.\s](\.(?=[a-z0-9]*[a-z])[a-z0-9]{1,10})$/i.exec(name)?.[1] ?? ''

/** Cuts the part before the extension. */
export function shorten(name: string, longest: number): string {
  if (name.length <= longest) return name
  const extension = extensionOf(name)
  // A cut through a surrogate pair must not leave half of it.
  return name.slice(0, longest - extension.length).replace(/[\ud800-\udbff]$/, '') + extension
}
