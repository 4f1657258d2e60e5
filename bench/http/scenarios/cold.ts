import { setTimeout as delay } from 'node:timers/promises'
import { type Chat, createApi } from '../client/api.ts'
import { usageOf } from '../process-usage.ts'
import type { Sample, Scenario, Setting, SideName } from '../scenario.ts'
import { endSide, startServer, startSide } from '../sides.ts'
import { askFor } from '../words.ts'

const IDLE_MS = 5_000

const folderOf = (name: SideName) => `cold-${name}`
/** A chat that each side has from before its start. */
const known = new Map<SideName, Chat>()

/** Starts on a folder with data, and asks the agent as soon as someone listens. */
export const cold: Scenario = {
  name: 'cold',
  figures: [
    { metric: 'answered', label: 'start to first answer of an agent, s', goal: { max: 0.45 } },
    { metric: 'ready', label: 'of that, until the server listens, s' },
    { metric: 'npm', label: 'the same through `npm start`, until the server listens, s' },
    { metric: 'rss', label: 'idle memory, MB', goal: { max: 130 } },
  ],

  async prepare({ name }, setting) {
    const side = await startSide(name, folderOf(name), setting)
    const [chat] = side.chats
    await side.api.ask(chat!, askFor(20))
    known.set(name, chat!)
    await endSide(side, setting)
  },

  async measure({ name }, setting) {
    const sample = await measureStart(name, setting)
    if (name === 'docent') sample.npm = await measureNpmStart(setting)
    return sample
  },
}

async function measureStart(name: SideName, setting: Setting): Promise<Sample> {
  const startedAt = performance.now()
  const seconds = () => (performance.now() - startedAt) / 1000
  const server = await startServer(name, folderOf(name), setting)
  const ready = seconds()
  const api = createApi(server.url)
  await api.ask(known.get(name)!, askFor(20))
  const answered = seconds()
  await delay(IDLE_MS)
  const { rssMb } = usageOf(server.pid)
  api.close()
  await setting.children.end(server.child)
  return { ready, answered, rss: rssMb }
}

async function measureNpmStart(setting: Setting): Promise<number> {
  const startedAt = performance.now()
  const server = await startServer('docent', folderOf('docent'), setting, { throughNpm: true })
  const seconds = (performance.now() - startedAt) / 1000
  await setting.children.end(server.child)
  return seconds
}
