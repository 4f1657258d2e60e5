import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { pdf, typed } from '../server/tests/support/test-files/pdf.ts'
import { createClient } from './drive/client.ts'
import { startBenchServer } from './drive/server.ts'
import { probeRequests } from './support/probe-requests.ts'

const MIB = 1024 ** 2

/**
 * Memory that a very large text and a PDF of many pages take, from the upload to the first search that finds them: of the
 * server and of its parser, each at its most, and how long other requests wait meanwhile.
 *
 *     npm run bench -- large-files [--text-mib 50,200,500] [--pages 5000]
 *
 * Each has a server of its own, with an empty index. Memory is watched until the index is up to date, which is after the
 * file is found.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { 'text-mib': { type: 'string', default: '50,200,500' }, pages: { type: 'string', default: '5000' } },
  })
  const pages = Number(values.pages)
  if (pages > 0) await measure(`${pages} pages of PDF`, 'pages.pdf', [pdfOf(pages)])
  for (const mib of values['text-mib'].split(',').map(Number))
    if (mib > 0) await measure(`${mib} MiB of text`, 'text.txt', textOf(mib))
}

async function measure(what: string, name: string, content: Iterable<Buffer>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'docent-bench-large-'))
  const server = await startBenchServer(dataDir, { DOCENT_MAX_UPLOAD_BYTES: String(2 * 1024 * MIB) })
  const client = createClient(server)
  try {
    const folder = await client.addFolder('large')
    const watch = watchMemory(server.pid)
    const probe = probeRequests(() => client.call('GET', '/me'))
    const startedAt = performance.now()
    const secondsSoFar = () => ((performance.now() - startedAt) / 1000).toFixed(1)
    const uploaded = await client.upload(name, content)
    const uploadedAfter = secondsSoFar()
    const id = await client.addFile(folder, uploaded, name)
    const file = await ended(client, id)
    const foundAfter = secondsSoFar()
    await settled(server.pid)
    const waits = await probe.end()
    const { server: most, parser } = watch.end()
    console.log(`\n${what}`)
    const reason = file.status_reason ? ` (${file.status_reason})` : ''
    print('status', `${file.status}${reason}, ${server.countPassages(id)} passages`)
    print('uploaded, found, settled', `${uploadedAfter} s, ${foundAfter} s, ${secondsSoFar()} s`)
    print('memory of the server', `${toMib(watch.before)} MiB before, ${toMib(most)} MiB at most`)
    print('memory of its parser', `${toMib(parser)} MiB at most`)
    print('other requests meanwhile', waits)
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function ended(client: ReturnType<typeof createClient>, id: string) {
  for (;;) {
    const file = await client.call<Record<string, unknown>>('GET', `/data-sources/${id}`)
    if (file.status === 'successful' || file.status === 'failed') return file
    await delay(500)
  }
}

/** Compaction takes far more of the processor in that time, requests of the probe far less. */
const QUIET_SECONDS = 12
const QUIET_TICKS = 240

/** Resolves when compaction has had its quiet time of ten seconds, and its run has ended. */
async function settled(pid: number): Promise<void> {
  for (let before = await ticksOf(pid); ; ) {
    await delay(QUIET_SECONDS * 1000)
    const after = await ticksOf(pid)
    if (after - before < QUIET_TICKS) return
    before = after
  }
}

/** Processor time that a process has taken, in hundredths of a second. */
async function ticksOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ')
  return Number(fields[11]) + Number(fields[12])
}

/** Sentences that differ, so that no two passages are alike. */
function* textOf(mib: number): Generator<Buffer> {
  let made = 0
  for (let number = 0; made < mib * MIB; ) {
    let piece = ''
    while (piece.length < 64 * 1024) {
      number++
      piece += `Valve ${number} of the line ${number % 977} is opened at ${number % 24} hours, and its pressure falls to ${number % 311} bar.${number % 9 === 0 ? '\n\n' : ' '}`
    }
    made += piece.length
    yield Buffer.from(piece)
  }
}

const pdfOf = (pages: number): Buffer =>
  pdf(
    Array.from({ length: pages }, (_, page) =>
      typed(
        Array.from({ length: 40 }, (_, line) => `Valve ${page * 40 + line} is opened at ${line} hours and stays so.`),
      ),
    ),
  )

/** The most memory of a process and of the largest of its children. */
function watchMemory(pid: number) {
  const most = { server: 0, parser: 0 }
  let before = 0
  const look = async () => {
    const own = await rssOf(pid)
    before ||= own
    most.server = Math.max(most.server, own)
    for (const child of await childrenOf(pid)) most.parser = Math.max(most.parser, await rssOf(child))
  }
  const timer = setInterval(() => {
    look().catch((error) => console.error(error))
  }, 50)
  return {
    get before() {
      return before
    },
    end() {
      clearInterval(timer)
      return most
    },
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const found: number[] = []
  for (const task of await readdir(`/proc/${pid}/task`).catch(() => [] as string[])) {
    const children = await readFile(`/proc/${pid}/task/${task}/children`, 'utf8').catch(() => '')
    found.push(...children.split(' ').filter(Boolean).map(Number))
  }
  return found
}

async function rssOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  // Without the pages of files that are mapped, which the system takes back when it needs them.
  return Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024
}

const toMib = (bytes: number): string => (bytes / MIB).toFixed(0)

const print = (name: string, value: string): void => console.log(`  ${name.padEnd(26)} ${value}`)
