import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measureEvents, measureMemory, measureSteps, measureTokens, type Stage } from './agents/measures.ts'
import { createChildren } from './http/children.ts'
import { createApi } from './http/client/api.ts'
import { median } from './http/report/statistics.ts'
import { startDocent, startModel } from './http/servers.ts'

/**
 * Cost of the loop of an agent against a scripted model: time and CPU of a step (a turn of the model and a call of
 * `list_files`, its state stored), CPU of a streamed token, events per second, memory of a run that is at work.
 *
 *     npm run bench -- agents [--rounds 5] [--runs 500]
 *
 * Times hold the model server's own, which is measured beside; CPU is the server's alone.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { rounds: { type: 'string', default: '5' }, runs: { type: 'string', default: '500' } },
  })
  const rounds = Number(values.rounds)
  const workDir = await mkdtemp(join(tmpdir(), 'docent-bench-agents-'))
  const cleanUp = () => rm(workDir, { recursive: true, force: true })
  const children = createChildren(cleanUp)
  try {
    const model = await startModel(children)
    const server = await startDocent(children, { dataDir: join(workDir, 'data'), modelUrl: model.url })
    const api = createApi(server.url)
    const agentId = await api.createAgent({ tools: ['list_files'] })
    const stage: Stage = { api, agentId, pid: server.pid, modelUrl: model.url }
    const table: [what: string, value: string][] = []
    for (const measure of [measureSteps, measureTokens, measureEvents]) {
      await measure(stage)
      const results = []
      for (let round = 0; round < rounds; round++) results.push(await measure(stage))
      for (const [index, { what }] of results[0]!.entries()) {
        const values = results.map((result) => result[index]!.value)
        table.push([what, format(median(values))])
      }
    }
    for (const { what, value } of await measureMemory(stage, Number(values.runs))) table.push([what, format(value)])
    api.close()
    console.log('| what | |\n| --- | --- |')
    for (const [what, value] of table) console.log(`| ${what} | ${value} |`)
  } finally {
    await children.endAll()
    await cleanUp()
  }
}

const format = (value: number): string =>
  value >= 1000 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)))
