import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative, resolve, sep } from 'node:path'
import { SourceUnavailableError } from '../source.ts'

export interface DirectoryLimits {
  /** Absolute folders; what is in them may be read. */
  roots: string[]
  /** The server's own data, which never may. */
  dataDir: string
}

/** Whether a path is a folder or lies in it; both without links. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
}

const refuse = (message: string, cause?: unknown) => new SourceUnavailableError('path', message, { cause })

/**
 * The folder without links, if it is one that may be read.
 * @throws SourceUnavailableError; what lies outside the allowed folders is refused alike whether it exists or not.
 */
export async function allowDirectory(path: string, { roots, dataDir }: DirectoryLimits): Promise<string> {
  if (!isAbsolute(path)) throw refuse('must be an absolute folder of the server')
  if (roots.length === 0)
    throw refuse(
      'no folder of the server may be read: whoever runs it has to list those that may in DOCENT_DIRECTORY_ROOTS',
    )
  const outside = () => refuse('lies outside the folders that the server may read, which DOCENT_DIRECTORY_ROOTS lists')
  const realRoots = await Promise.all(roots.map((root) => realpath(root).catch(() => resolve(root))))
  const allowed = [...roots.map((root) => resolve(root)), ...realRoots]
  if (!allowed.some((root) => isInside(root, resolve(path)))) throw outside()

  const real = await realpath(path).catch((error) => {
    throw refuse(explain(error), error)
  })
  if (!realRoots.some((root) => isInside(root, real))) throw outside()
  const data = await realpath(dataDir).catch(() => resolve(dataDir))
  if (isInside(data, real) || isInside(real, data))
    throw refuse("holds the server's own data: choose a folder beside DATA_DIR")
  if (!(await stat(real)).isDirectory()) throw refuse('is no folder')
  await access(real, constants.R_OK | constants.X_OK).catch((error) => {
    throw refuse(explain(error), error)
  })
  return real
}

function explain({ code }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'there is no such folder on the server'
  if (code === 'EACCES' || code === 'EPERM') return 'the server is not permitted to read this folder'
  return `the folder cannot be read (${code ?? 'unknown error'})`
}
