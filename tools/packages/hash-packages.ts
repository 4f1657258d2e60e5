// npm run hash-packages: asks the registry in use for the hashes that package-lock.json lacks, and writes those it tells.
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { LockFile } from './lock-file.ts'
import { packagesWithoutHash } from './lock-file-problems.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const lockPath = join(root, 'package-lock.json')
const lock = JSON.parse(readFileSync(lockPath, 'utf8')) as LockFile

for (const path of packagesWithoutHash(lock)) {
  const name = path.replace(/^.*node_modules\//, '')
  const entry = lock.packages[path]!
  const integrity = await integrityOf(`${name}@${entry.version}`)
  if (integrity) lock.packages[path] = withIntegrity(entry, integrity)
  else console.log(`${name} ${entry.version}: the registry does not have it`)
}
writeFileSync(lockPath, `${JSON.stringify(lock, null, 2)}\n`)
const left = packagesWithoutHash(lock)
writeFileSync(join(root, 'tools/packages/unhashed-packages.json'), `${JSON.stringify(left, null, 2)}\n`)
console.log(`${left.length} packages are left without a hash`)

/** @returns undefined for a version that the registry does not have */
async function integrityOf(spec: string): Promise<string | undefined> {
  try {
    const { stdout } = await run('npm', ['view', spec, 'dist.integrity'], { cwd: root })
    return stdout.trim() || undefined
  } catch (error) {
    if (/E404/.test((error as { stderr?: string }).stderr ?? '')) return undefined
    throw error
  }
}

/** Adds the hash after the version, as npm does. */
function withIntegrity({ version, ...rest }: LockFile['packages'][string], integrity: string) {
  return { version, integrity, ...rest }
}
