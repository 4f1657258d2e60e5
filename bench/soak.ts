import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createChildren } from './http/children.ts'
import { createApi } from './http/client/api.ts'
import { startDocent, startModel } from './http/servers.ts'
import { startSink } from './soak/delivery-sink.ts'
import { createLoad } from './soak/load.ts'
import { COLUMNS, measure, type Row, slopePerHour } from './soak/measure.ts'

/**
 * Hours of what a company does in minutes: chats begin, continue and end, answers are blocking, streamed and delivered,
 * files come, are searched and go. What is kept stays bounded, so whatever still grows after the warm-up is a leak.
 *
 *     npm run bench -- soak [--minutes 120] [--rate 20] [--set NAME=VALUE]
 *
 * `--rate` is calls a second; `--set` gives the server a setting and may be repeated. Prints a row a minute (those of
 * memory in MB, of the server's process alone), and in the end how much each figure grew an hour over the second half.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: 'string', default: '120' },
      rate: { type: 'string', default: '20' },
      set: { type: 'string', multiple: true, default: [] },
    },
  })
  const workDir = await mkdtemp(join(tmpdir(), 'docent-bench-soak-'))
  const cleanUp = () => rm(workDir, { recursive: true, force: true, maxRetries: 10 })
  const children = createChildren(cleanUp)
  const sink = await startSink()
  try {
    const model = await startModel(children)
    const dataDir = join(workDir, 'data')
    const server = await startDocent(children, {
      dataDir,
      modelUrl: model.url,
      nodeOptions: ['--import', fileURLToPath(new URL('soak/memory-probe.ts', import.meta.url))],
      settings: {
        DOCENT_OUTBOUND_ALLOW: '127.0.0.0/8',
        ...Object.fromEntries(values.set.map((pair) => pair.split(/=(.*)/s))),
      },
    })
    const api = createApi(server.url)
    const load = await createLoad(api, sink.url, Number(values.rate))
    const rows: Row[] = []
    console.log(COLUMNS.map((name) => name.padStart(9)).join(' '))
    const startedAt = performance.now()
    for (let minute = 0; minute <= Number(values.minutes); minute++) {
      await delay(Math.max(0, startedAt + minute * 60_000 - performance.now()))
      const row = { minute, ...(await measure(server, dataDir)), ...load.counts(), delivered: sink.count() }
      rows.push(row)
      console.log(COLUMNS.map((name) => shown(row[name]).padStart(9)).join(' '))
      if (load.failure()) throw load.failure()
    }
    await load.stop()
    api.close()
    const settled = rows.slice(Math.floor(rows.length / 2))
    console.log('\ngrown an hour, over the second half')
    for (const name of COLUMNS.slice(1)) console.log(`${name.padStart(10)} ${shown(slopePerHour(settled, name))}`)
  } finally {
    sink.close()
    await children.endAll()
    await cleanUp()
  }
}

const shown = (value: number): string => (Math.abs(value) < 100 ? value.toFixed(1) : String(Math.round(value)))
