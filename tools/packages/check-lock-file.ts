// Part of npm run check: whether the lock file says of every package what exactly is to be installed.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockFileProblems } from './lock-file-problems.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))

const manifests = globSync(['package.json', '{server,sdk,cli,web}/package.json'], { cwd: root })
const problems = lockFileProblems({
  lock: read('package-lock.json'),
  manifests: Object.fromEntries(manifests.map((path) => [path, read(path)])),
  unhashed: read('tools/packages/unhashed-packages.json'),
})
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
