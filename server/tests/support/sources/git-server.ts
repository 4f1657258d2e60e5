import { execFile, spawn } from 'node:child_process'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../database/database.ts'

const run = promisify(execFile)
const WHO = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.com', '-c', 'commit.gpgsign=false']

/** A repository behind git's own HTTP server, which asks for a token if one is set. */
export async function startGitServer(files: Record<string, string | Uint8Array>, { token }: { token?: string } = {}) {
  const root = await temporaryFolder()
  const work = join(root, 'team.git')
  await mkdir(work)
  const git = async (...args: string[]) => (await run('git', [...WHO, ...args], { cwd: work })).stdout.trim()
  await git('init', '-q', '-b', 'main')
  await git('config', 'http.receivepack', 'false')
  const at = (path: string) => join(work, path)

  async function commit(changes: Record<string, string | Uint8Array | null>): Promise<void> {
    for (const [path, content] of Object.entries(changes)) {
      await mkdir(dirname(at(path)), { recursive: true })
      if (content === null) await rm(at(path), { recursive: true })
      else await writeFile(at(path), content)
    }
    await git('add', '-A')
    await git('commit', '-q', '--allow-empty', '-m', 'change')
  }
  await commit(files)

  /** Bytes of the replies so far. */
  const sent = { bytes: 0, requests: 0 }
  let intercept: (request: IncomingMessage, response: ServerResponse) => boolean = () => false
  const server = createServer((request, response) => {
    sent.requests++
    if (intercept(request, response)) return
    const wanted = token && `Basic ${Buffer.from(`git:${token}`).toString('base64')}`
    if (wanted && request.headers.authorization !== wanted) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return
    }
    answer(root, request, response, sent)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/team.git`
  return {
    url,
    git,
    commit,
    sent,
    move: async (from: string, to: string) => {
      await mkdir(dirname(at(to)), { recursive: true })
      await rename(at(from), at(to))
    },
    intercept: (by: typeof intercept) => {
      intercept = by
    },
  }
}

/** Runs `git http-backend` as the CGI program that it is. */
function answer(root: string, request: IncomingMessage, response: ServerResponse, sent: { bytes: number }): void {
  const { pathname, search } = new URL(request.url!, 'http://localhost')
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      REQUEST_METHOD: request.method,
      PATH_INFO: pathname,
      QUERY_STRING: search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      CONTENT_LENGTH: request.headers['content-length'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_ADDR: '127.0.0.1',
    },
  })
  child.stdin.on('error', () => {})
  request.pipe(child.stdin)
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk) => chunks.push(chunk))
  child.on('close', () => {
    const all = Buffer.concat(chunks)
    const end = all.indexOf('\r\n\r\n')
    const lines = all.subarray(0, end).toString('latin1').split('\r\n')
    const headers = lines.map((line) => /^([\w-]+): (.*)$/.exec(line)!.slice(1) as [string, string])
    const status = Number(headers.find(([name]) => name === 'Status')?.[1].slice(0, 3) ?? 200)
    const body = all.subarray(end + 4)
    sent.bytes += body.length
    response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status'))).end(body)
  })
}
