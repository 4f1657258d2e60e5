import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { CommandError } from './failures.ts'
import { startedIn } from './session.ts'

/** Path of a file to write, as a person named it; undefined for `-`, standard output. @throws CommandError if it is there */
export function pathToWrite(file: string, isForced: boolean): string | undefined {
  if (file === '-') return undefined
  const path = resolve(startedIn(), file)
  requireFree([path], isForced)
  return path
}

/** @throws CommandError if one of the files is there and may not be overwritten */
export function requireFree(paths: string[], isForced: boolean): void {
  const taken = isForced ? undefined : paths.find((path) => existsSync(path))
  if (taken) throw new CommandError(`${taken} is there already: overwrite it with --force`)
}
