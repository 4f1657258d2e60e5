import { matchesAny } from './directory/globs.ts'

/** Chooses what is brought of a source by its patterns. */
export function createFileFilter({ include, exclude }: { include: string[]; exclude: string[] }) {
  return {
    takesFolder: (path: readonly string[]) => !matchesAny(exclude, path),
    takesFile: (path: readonly string[]) =>
      !matchesAny(exclude, path) && (include.length === 0 || matchesAny(include, path)),
  }
}

/** Whether a name of a source can be a name here: no step up, no part of a path, nothing that ends a text. */
export const isUsableName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && name.length <= 1024 && !/[/\0]/.test(name)
