// While an image is built: starts the server on an empty folder and stops it. Node then keeps what it compiled beside the
// bundle, which a container, whose files are read-only, could not do; its starts take a third of the time.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { servingFlags } from '../../tools/node.mjs'

const dataDir = mkdtempSync(join(tmpdir(), 'docent-'))
const env = { ...process.env, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir }
// With other flags what Node compiled would be of no use.
const server = spawn(process.execPath, [...servingFlags, 'tools/serve.mjs'], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
})
let said = ''
server.stdout.on('data', (piece) => {
  said += piece
  if (/^Docent is ready at /m.test(said)) server.kill('SIGTERM')
})
const [code] = await once(server, 'exit')
rmSync(dataDir, { recursive: true })
if (code !== 0 || !said.includes('Docent is ready at ')) {
  console.error(said)
  throw new Error('The server did not start and stop as it must')
}
// Node writes them for its own user alone, which is not the one that a container runs as.
const compiled = globSync('server/dist/*/compiled/*/*')
if (compiled.length === 0) throw new Error('The server did not run from its bundle, or left nothing compiled')
for (const path of globSync('server/dist/*/compiled/*')) chmodSync(path, 0o755)
for (const path of compiled) chmodSync(path, 0o644)
