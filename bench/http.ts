import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createChildren } from './http/children.ts'
import { outcomesOf } from './http/report/outcome.ts'
import { recordOf, tableOf } from './http/report/report.ts'
import { measureRounds } from './http/report/rounds.ts'
import type { Scenario, Setting } from './http/scenario.ts'
import { burst } from './http/scenarios/burst.ts'
import { cold } from './http/scenarios/cold.ts'
import { history } from './http/scenarios/history.ts'
import { ingest } from './http/scenarios/ingest.ts'
import { mixed } from './http/scenarios/mixed.ts'
import { paced } from './http/scenarios/paced.ts'
import { query } from './http/scenarios/query.ts'
import { rights } from './http/scenarios/rights.ts'
import { startModel } from './http/servers.ts'
import { startSide } from './http/sides.ts'

const scenarios: Scenario[] = [query, burst, paced, history, cold, ingest, mixed, rights]

/**
 * Docent as `npm start` runs it, beside a floor: the least code in bare Node that keeps the same promises. Both ask the
 * same scripted model, every answer is checked, and what is judged are ratios of rounds that stood next to each other.
 *
 *     npm run bench -- http [--only query,burst,...] [--secs 4] [--rounds 5] [--out FILE] [--strict] [--profile FOLDER]
 *
 * Prints a Markdown table; `--out` appends all rounds as a line of JSON, `--profile` has V8 write where Docent's time
 * went. The exit code is 1 when an answer was wrong, and with `--strict` also when a goal is missed.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', default: scenarios.map(({ name }) => name).join() },
      secs: { type: 'string', default: '4' },
      rounds: { type: 'string', default: '5' },
      out: { type: 'string' },
      strict: { type: 'boolean', default: false },
      profile: { type: 'string' },
    },
  })
  const wanted = values.only.split(',').map(scenarioNamed)
  const workDir = await mkdtemp(join(tmpdir(), 'docent-bench-http-'))
  const cleanUp = () => rm(workDir, { recursive: true, force: true })
  const children = createChildren(cleanUp)
  try {
    const { url: modelUrl } = await startModel(children)
    const setting: Setting = { children, modelUrl, workDir, seconds: Number(values.secs) }
    const nodeOptions = values.profile ? ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] : []
    const sides = {
      docent: await startSide('docent', 'docent', setting, { nodeOptions }),
      floor: await startSide('floor', 'floor', setting),
    }
    const measured = []
    for (const scenario of wanted) {
      console.error(`measuring ${scenario.name}`)
      const result = await measureRounds(scenario, sides, Number(values.rounds), setting)
      if (result.error) console.error(`${scenario.name} does not count:`, result.error)
      measured.push(result)
    }
    const outcomes = measured.filter(({ error }) => !error).flatMap(outcomesOf)
    console.log(tableOf(outcomes))
    if (values.out) await appendFile(values.out, `${recordOf(measured, values)}\n`)
    const isMissed = values.strict && outcomes.some(({ isReached }) => isReached === false)
    if (isMissed || outcomes.length === 0 || measured.some(({ error }) => error)) process.exitCode = 1
  } finally {
    await children.endAll()
    await cleanUp()
  }
}

function scenarioNamed(name: string): Scenario {
  const scenario = scenarios.find((candidate) => candidate.name === name)
  if (!scenario) throw new Error(`There is no row "${name}"; rows: ${scenarios.map((known) => known.name).join(', ')}`)
  return scenario
}
