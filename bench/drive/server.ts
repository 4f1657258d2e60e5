import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url))
const KEY = 'bench-owner-key-0123456789'

export interface BenchServer {
  url: string
  key: string
  pid: number
  /** Rows of files in these folders, read beside the server. */
  countFiles(folderIds: string[]): Promise<number>
  /** Passages of a file, read likewise. */
  countPassages(fileId: string): number
  stop(): Promise<void>
}

/** Docent in a process of its own, without a rate limit. */
export async function startBenchServer(dataDir: string, settings: Record<string, string> = {}): Promise<BenchServer> {
  const child = spawn(process.execPath, [MAIN], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      LOG_LEVEL: 'error',
      DATA_DIR: dataDir,
      DOCENT_SAMPLE: 'false',
      DOCENT_RATE_LIMIT: '0',
      DOCENT_OWNER_KEY: KEY,
      DOCENT_OCR_DATA: 'off',
      // As npm start sets them (tools/node.mjs).
      MALLOC_ARENA_MAX: '2',
      MALLOC_MMAP_THRESHOLD_: '131072',
      // Other limits than the search engine's own may be tried.
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('LANCE_'))),
      ...settings,
    },
  })
  const exited = once(child, 'exit')
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^Docent is ready at (\S+)$/.exec(line)?.[1]
    if (!url) continue
    child.stdout.resume()
    return {
      url,
      key: KEY,
      pid: child.pid!,
      async countFiles(folderIds) {
        const database = new DatabaseSync(join(dataDir, 'docent.sqlite'), { readOnly: true })
        const places = folderIds.map(() => '?').join()
        const row = database.prepare(`select count(*) as n from data_source where folder_id in (${places})`)
        const { n } = row.get(...folderIds) as { n: number }
        database.close()
        return n
      },
      countPassages(fileId) {
        const database = new DatabaseSync(join(dataDir, 'docent.sqlite'), { readOnly: true })
        const row = database.prepare('select chunk_count as n from data_source where id = ?').get(fileId)
        database.close()
        return (row as { n: number }).n
      },
      async stop() {
        child.kill('SIGTERM')
        await exited
      },
    }
  }
  throw new Error('the server ended before it was ready')
}

/** Resident memory in bytes before, and the most that was seen during the work. */
export async function peakRss(pid: number, work: () => Promise<unknown>): Promise<{ before: number; peak: number }> {
  const before = await rssOf(pid)
  let peak = before
  const timer = setInterval(async () => {
    peak = Math.max(peak, await rssOf(pid))
  }, 10)
  try {
    await work()
  } finally {
    clearInterval(timer)
  }
  return { before, peak: Math.max(peak, await rssOf(pid)) }
}

async function rssOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) * 1024
}
