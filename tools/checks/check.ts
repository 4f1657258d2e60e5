// npm run check: everything that the code must be besides tested. All checks run; one that fails shows why.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const root = join(import.meta.dirname, '../..')
const bin = (name: string) => join(root, 'node_modules/.bin', name)
const here = (script: string) => [process.execPath, join(root, 'tools', script)]

const checks: Record<string, string[]> = {
  'format and lint': [bin('biome'), 'ci', '--error-on-warnings', '--colors=off', '.'],
  'promises and functions': [bin('oxlint'), '--type-aware', '--deny-warnings', '.'],
  types: [bin('tsc'), '--project', '.'],
  ...(existsSync(join(root, 'web/tsconfig.json')) && { 'types of the web UI': [bin('tsc'), '--project', 'web'] }),
  // Types of the library of the oldest Node that the CLI promises to run on.
  'types of the CLI': [bin('tsc'), '--project', 'cli'],
  'types of the React hooks': [bin('tsc'), '--project', 'sdk-react'],
  'dead code': [bin('knip'), '--no-progress'],
  'direction of imports': here('checks/check-imports.ts'),
  'tables of features': here('checks/check-tables.ts'),
  'sizes of folders': here('checks/check-folders.ts'),
  'sizes of files': here('checks/check-files.ts'),
  'openings of comments': here('checks/check-comments.ts'),
  'languages of the UI': here('checks/check-languages.ts'),
  'API description': here('checks/check-api.ts'),
  'lock file': here('packages/check-lock-file.ts'),
  'generated files': [...here('generated/generate.ts'), '--check'],
}

let failed = 0
for (const [name, [command, ...args]] of Object.entries(checks)) {
  const beganAt = performance.now()
  const { isGood, output } = await run(command!, args)
  const seconds = ((performance.now() - beganAt) / 1000).toFixed(1)
  console.log(`${isGood ? 'ok  ' : 'FAIL'}  ${name.padEnd(22)}${seconds.padStart(5)} s`)
  if (isGood) continue
  failed++
  console.log(output.trim().replace(/^/gm, '      '))
}
if (failed > 0) {
  console.log(`${failed} of ${Object.keys(checks).length} checks failed`)
  process.exitCode = 1
}

async function run(command: string, args: string[]): Promise<{ isGood: boolean; output: string }> {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const code = new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { isGood: (await code) === 0, output: `${out}\n${err}` }
}
