import { chmod, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildCommandLine } from '../../../../cli/build/package.ts'

export const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

/**
 * Lays out a folder that looks like a checkout in which a server runs: the repository's files by links, and its data in
 * `data`. What a snippet writes stays in it.
 */
export async function layCheckout(folder: string, dataDir: string): Promise<void> {
  await mkdir(folder)
  const own = (await readdir(ROOT)).filter((name) => !['data', '.git'].includes(name))
  await Promise.all(own.map((name) => symlink(join(ROOT, name), join(folder, name))))
  await symlink(dataDir, join(folder, 'data'))
}

/** Makes a folder of programs for PATH, with the command `docent` as an installed package has it. */
export async function layPrograms(folder: string): Promise<void> {
  await mkdir(folder)
  const made = join(folder, 'command-line')
  await buildCommandLine(made)
  const path = join(folder, 'docent')
  await writeFile(path, `#!/bin/sh\nexec "${process.execPath}" "${join(made, 'docent.js')}" "$@"\n`)
  await chmod(path, 0o755)
}
