// npm run record [test files]: runs tests and keeps what the API really answered, as examples and error codes for
// openapi.json. Operations that the tests run do not reach keep what is recorded of them.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pickExample } from './pick-example.ts'
import { type Answer, RECORDED_FILE, type Recorded, readRecorded } from './recorded.ts'

const root = join(import.meta.dirname, '../..')
const log = join(tmpdir(), `docent-answers-${process.pid}.jsonl`)
writeFileSync(log, '')
const given = process.argv.slice(2)
const tests = given.length > 0 ? given : ['server/tests', 'sdk']
spawnSync(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...tests], {
  cwd: root,
  env: { ...process.env, NODE_ENV: 'test', DOCENT_RECORD_ANSWERS: log },
  stdio: 'inherit',
})

const answers = readFileSync(log, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line): Answer => JSON.parse(line))
rmSync(log)
const byOperation = Map.groupBy(answers, ({ operation }) => operation)
const before = readRecorded()
const merged = new Map(Object.entries(before))
for (const [operation, found] of byOperation) merged.set(operation, together(before[operation], found))
const sorted = Object.fromEntries([...merged].sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(RECORDED_FILE, `${JSON.stringify(sorted, null, 2)}\n`)
console.log(`${byOperation.size} operations were answered; npm run generate puts them into openapi.json`)

function together(known: Recorded[string] | undefined, found: Answer[]): Recorded[string] {
  const codes = new Set(known?.errors)
  for (const { status, answer } of found)
    if (status >= 400) codes.add(`${status} ${(answer as { error_code: string }).error_code}`)
  return { errors: [...codes].sort(), example: pickExample(found) ?? known?.example }
}
