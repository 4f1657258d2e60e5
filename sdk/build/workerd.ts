import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../web/tests/support/network/free-port.ts'

/** Time for the runtime to listen. */
const START_MS = 60_000

/**
 * Runs a script in workerd, the runtime of Cloudflare Workers, as the handler of one request.
 * @param script leaves a function `work(url, key)` behind
 * @returns what the function said @throws what the runtime complained of
 */
export async function runInWorkerd(
  workerd: string,
  { folder, script, url, key }: { folder: string; script: string; url: string; key: string },
): Promise<string> {
  const port = await freePort()
  writeFileSync(join(folder, 'worker.js'), `${script}\n${HANDLER}`)
  writeFileSync(join(folder, 'workerd.capnp'), configOf({ url, key, port }))
  const child = spawn(workerd, ['serve', 'workerd.capnp'], { cwd: folder })
  let said = ''
  child.stderr.on('data', (data: Buffer) => {
    said += data
  })
  const ended = once(child, 'exit')
  try {
    const reply = await answered(`http://127.0.0.1:${port}`, () => child.exitCode !== null)
    const text = await reply.text()
    if (!reply.ok) throw new Error(text)
    return text
  } catch (error) {
    throw new Error(said, { cause: error })
  } finally {
    child.kill()
    await ended
  }
}

const HANDLER = 'export default { fetch: async (_, { URL, KEY }) => new Response(await work(URL, KEY)) }'

/** Workers reach public addresses alone unless they are told otherwise. */
const configOf = ({ url, key, port }: { url: string; key: string; port: number }) => `
using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["public", "private", "local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  bindings = [(name = "URL", text = ${JSON.stringify(url)}), (name = "KEY", text = ${JSON.stringify(key)})],
  compatibilityDate = "2026-01-01",
);
`

async function answered(url: string, hasEnded: () => boolean): Promise<Response> {
  const giveUpAt = Date.now() + START_MS
  for (;;) {
    try {
      return await fetch(url)
    } catch (error) {
      if (hasEnded() || Date.now() > giveUpAt) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
