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
 *     npm run bench -- large-files [--text-mib 500] [--pages 5000]
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { 'text-mib': { type: 'string', default: '500' }, pages: { type: 'string', default: '5000' } },
  })
  const mib = Number(values['text-mib'])
  const pages = Number(values.pages)
  const dataDir = await mkdtemp(join(tmpdir(), 'docent-bench-large-'))
  const server = await startBenchServer(dataDir, { DOCENT_MAX_UPLOAD_BYTES: String(2 * 1024 * MIB) })
  const client = createClient(server)
  try {
    const folder = await client.addFolder('large')
    await measure(`${pages} pages of PDF`, 'pages.pdf', [pdfOf(pages)])
    await measure(`${mib} MiB of text`, 'text.txt', textOf(mib))

    async function measure(what: string, name: string, content: Iterable<Buffer>) {
      if (what.startsWith('0 ')) return
      const watch = watchMemory(server.pid)
      const probe = probeRequests(() => client.call('GET', '/me'))
      const startedAt = performance.now()
      const uploaded = await client.upload(name, content)
      const uploadedMs = performance.now() - startedAt
      const id = await client.addFile(folder, uploaded, name)
      const file = await ended(id)
      const seconds = (performance.now() - startedAt) / 1000
      const waits = await probe.end()
      const { server: most, parser } = watch.end()
      console.log(`\n${what}`)
      print(
        'status',
        `${file.status}${file.status_reason ? ` (${file.status_reason})` : ''}, ${server.countPassages(id)} passages`,
      )
      print('uploaded, indexed', `${(uploadedMs / 1000).toFixed(1)} s, ${seconds.toFixed(1)} s`)
      print('memory of the server', `${toMib(watch.before)} MiB before, ${toMib(most)} MiB at most`)
      print('memory of its parser', `${toMib(parser)} MiB at most`)
      print('other requests meanwhile', waits)
    }

    async function ended(id: string) {
      for (;;) {
        const file = await client.call<Record<string, unknown>>('GET', `/data-sources/${id}`)
        if (file.status === 'successful' || file.status === 'failed') return file
        await delay(500)
      }
    }
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
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
