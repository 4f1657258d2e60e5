import { existsSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * Lets stacks name the lines of the sources for what runs from a bundle. Node's own way to do it reads each map when
 * its file is loaded, which is a sixth of the processor time of a start. This one reads a map when the first stack is
 * asked for that goes through its file.
 * @param folder where the files of the bundle and their maps are
 */
export function nameSourceLines(folder) {
  // Somebody asked Node for it, which then passes on no frames that could be changed.
  if (process.sourceMapsEnabled) return
  const within = `${pathToFileURL(folder).href}/`
  const maps = new Map()
  const asNodeDoes = Error.prepareStackTrace
  Error.prepareStackTrace = (error, frames) =>
    asNodeDoes(
      error,
      frames.map((frame) => atSource(frame, within, maps)),
    )
}

/** The frame as Node writes it; what a map does not know, such as a line of a package, stays as it is. */
function atSource(frame, within, maps) {
  const file = frame.getFileName()
  if (!file?.startsWith(within)) return frame
  if (!maps.has(file)) maps.set(file, readMap(file))
  const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()]
  const found = maps.get(file)?.findEntry(line - 1, column - 1)
  // For a line that it does not know, the map gives the nearest one before.
  if (found?.generatedLine !== line - 1) return frame
  const source = new URL(found.originalSource, file).href
  const at = `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`
  return String(frame).replace(`${file}:${line}:${column}`, () => at)
}

/** A stack without the lines of the sources is better than none. */
function readMap(file) {
  const path = `${fileURLToPath(file)}.map`
  try {
    return existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : undefined
  } catch {
    return undefined
  }
}
