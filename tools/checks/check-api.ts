// Fails if openapi.json is not as `redocly lint` and `spectral` want it, and says where.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import core, { type RulesetDefinition } from '@stoplight/spectral-core'
import parsers from '@stoplight/spectral-parsers'
import rulesets from '@stoplight/spectral-rulesets'

const root = join(import.meta.dirname, '../..')
const file = join(root, 'openapi.json')

const redocly = spawnSync(
  join(root, 'node_modules/.bin/redocly'),
  ['lint', file, '--config', join(root, 'tools/api/redocly.yaml'), '--format', 'stylish'],
  // It tells its makers of each run otherwise, and asks for newer versions.
  { encoding: 'utf8', env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
)
if (redocly.status !== 0) fail(`${redocly.stdout}${redocly.stderr}`)

const spectral = new core.Spectral()
// Its own types disagree about aliases.
spectral.setRuleset({ extends: [rulesets.oas as RulesetDefinition] })
for (const { code, path, message } of await spectral.run(new core.Document(readFileSync(file, 'utf8'), parsers.Json)))
  fail(`${code} at ${path.join('.')}: ${message}`)

function fail(problem: string): void {
  console.error(problem)
  process.exitCode = 1
}
