import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startModelServer } from './support/own-server/model-server.ts'
import type { Target } from './support/target.ts'

const USAGE = `npm run acceptance                             against a server of its own
npm run acceptance -- --cluster                against two api and two worker processes on PostgreSQL and S3
npm run acceptance -- --url URL --key KEY      against yours; makes folders, agents and chats there
    --other-key KEY      key of another organization: without it, what needs two organizations is skipped
    --agent ID           an agent whose model is the suite's scripted one: without it, what needs it is skipped
    --callback-host HOST address of this machine that the server may call: without it, webhooks are skipped
    --sources-root PATH  one of the server's DOCENT_DIRECTORY_ROOTS, on this machine: without it, integrations are skipped
npm run acceptance -- --serve-model PORT       only serves the scripted model, for OPENAI_COMPATIBLE_BASE_URL`

const root = fileURLToPath(new URL('..', import.meta.url))

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      url: { type: 'string' },
      key: { type: 'string' },
      'other-key': { type: 'string' },
      agent: { type: 'string' },
      'callback-host': { type: 'string' },
      'sources-root': { type: 'string' },
      'serve-model': { type: 'string' },
      cluster: { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return console.log(USAGE)
  if (values['serve-model']) {
    const { url } = await startModelServer(Number(values['serve-model']))
    return console.log(`The scripted model is at ${url}`)
  }
  if (Boolean(values.url) !== Boolean(values.key)) throw new Error(`--url and --key go together.\n${USAGE}`)
  const target = values.url && values.key ? await targetOf({ ...values, url: values.url, key: values.key }) : undefined
  if (target && values.cluster) throw new Error(`--cluster starts what it tests, --url names it.\n${USAGE}`)
  if (target) for (const line of skippedOn(target)) console.log(line)
  process.exitCode = await runTests(positionals, values.cluster ? 'acceptance-cluster' : 'acceptance', target)
}

interface Arguments {
  url: string
  key: string
  'other-key'?: string
  agent?: string
  'callback-host'?: string
  'sources-root'?: string
}

async function targetOf({ key, agent, ...values }: Arguments): Promise<Target> {
  const url = values.url.replace(/\/+$/, '').replace(/\/v1$/, '')
  const model = agent ? await modelOf(url, key, agent) : undefined
  return {
    url,
    key,
    otherKey: values['other-key'],
    model,
    callbackHost: values['callback-host'],
    sourcesRoot: values['sources-root'],
    isOwn: false,
  }
}

async function modelOf(url: string, key: string, agentId: string): Promise<string> {
  const response = await fetch(`${url}/v1/agents/${agentId}`, { headers: { 'x-api-key': key } })
  if (!response.ok) throw new Error(`Agent ${agentId}: ${response.status} ${await response.text()}`)
  const { data } = (await response.json()) as { data: { model: string | null } }
  if (!data.model) throw new Error(`Agent ${agentId} names no model`)
  return data.model
}

function skippedOn({ otherKey, model, callbackHost, sourcesRoot }: Target): string[] {
  const missing = [
    ['two organizations', otherKey, '--other-key'],
    ['a scripted model', model, '--agent'],
    ['webhooks', callbackHost, '--callback-host'],
    ['integrations', sourcesRoot, '--sources-root'],
    ["the suite's own settings", undefined, 'no --url'],
  ] as const
  return missing.filter(([, given]) => !given).map(([what, , option]) => `Skipped: what needs ${what} (${option})`)
}

async function runTests(files: string[], project: string, target: Target | undefined): Promise<number> {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const child = spawn(process.execPath, [vitest, 'run', '--project', project, ...files], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'test', ...(target && { ACCEPTANCE_TARGET: JSON.stringify(target) }) },
  })
  const [code] = await once(child, 'exit')
  return code ?? 1
}

main().catch((error) => {
  console.error(error.message)
  process.exitCode = 1
})
