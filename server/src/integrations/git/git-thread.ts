import { Worker } from 'node:worker_threads'
import { type Outbound, OutboundTimeoutError } from '../../platform/outbound/outbound.ts'
import { OutboundNotAllowedError } from '../../platform/outbound/outbound-guard.ts'
import { redirectOf } from '../../platform/outbound/redirects.ts'
import { createPace } from '../sync/pace.ts'
import type { FromThread, GitCall, GitFailure, GitReply, GitRequest, ToThread } from './git-messages.ts'

const ENTRY = new URL('./git.worker.ts', import.meta.url)
const REQUEST_MS = 600_000
const HEAP_MB = 1024
const LARGEST_REPLY_MB = 512
/** Beginning of the message about a reply that is over the limit. */
export const TOO_MUCH = 'more would have to be fetched at once than is taken'

/** A call failed in the thread, or the thread did. */
export class GitError extends Error {
  override name = 'GitError'
  readonly failure: GitFailure
  constructor(failure: GitFailure) {
    super(failure.message)
    this.failure = failure
  }
}

/** Thread that reads one repository; its requests go through the guard, paced, and to no other host. */
export function createGitThread(outbound: Outbound, requestsPerSecond: number, signal: AbortSignal) {
  const pace = createPace(requestsPerSecond)
  const calls = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>()
  let count = 0
  const worker = new Worker(ENTRY, {
    // Code in the thread must not find the keys that the environment holds.
    env: {},
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    stdout: true,
    stderr: true,
  })
  const post = (message: ToThread) => worker.postMessage(message)

  function failAll(error: Error): void {
    for (const { reject } of calls.values()) reject(error)
    calls.clear()
  }
  worker.on('error', (error: NodeJS.ErrnoException) => {
    const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    failAll(new GitError({ code: isMemory ? 'Memory' : 'Crash', message: error.message }))
  })
  worker.on('exit', () => failAll(new GitError({ code: 'Crash', message: 'the thread ended' })))
  worker.on('message', (message: FromThread) => {
    if (message.kind === 'request') {
      send(message.request).then(
        (reply) => post({ kind: 'reply', id: message.id, reply }),
        (error) => post({ kind: 'reply', id: message.id, failure: describe(error, message.request.url) }),
      )
      return
    }
    const call = calls.get(message.id)
    calls.delete(message.id)
    if (message.failure) call?.reject(new GitError(message.failure))
    else call?.resolve(message.value)
  })

  async function send({ url, method, headers, body }: GitRequest): Promise<GitReply> {
    await pace(signal)
    const reply = await outbound.request(url, {
      method,
      headers: { ...headers, 'user-agent': 'git/2 (Docent linked folders)' },
      ...(body && { body }),
      timeoutMs: REQUEST_MS,
      maxReplyBytes: LARGEST_REPLY_MB * 1024 ** 2,
      signal,
    })
    const location = redirectOf(reply, url)
    if (location !== undefined) {
      reply.close()
      const to = location.replace(/\/info\/refs(?:\?.*)?$/, '').slice(0, 200)
      throw new Error(`the server sends to another address, which is not followed: ${to}`)
    }
    const chunks: Buffer[] = []
    for await (const chunk of reply.body) chunks.push(chunk)
    if (reply.isCut) throw new Error(`${TOO_MUCH} (${LARGEST_REPLY_MB} MB)`)
    return { status: reply.status, headers: textHeaders(reply.headers), body: Buffer.concat(chunks) }
  }

  return {
    /** @throws GitError, or the signal's reason */
    async call<T>(call: GitCall, signal: AbortSignal): Promise<T> {
      signal.throwIfAborted()
      const id = ++count
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      const abort = () => reject(signal.reason)
      signal.addEventListener('abort', abort, { once: true })
      calls.set(id, { resolve, reject })
      post({ kind: 'call', id, call })
      try {
        return (await promise) as T
      } finally {
        calls.delete(id)
        signal.removeEventListener('abort', abort)
      }
    },
    async close(): Promise<void> {
      await worker.terminate()
    },
  }
}

export type GitThread = ReturnType<typeof createGitThread>

const textHeaders = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? []].flat().join(', ')]))

function describe(error: unknown, url: string): string {
  const { host } = new URL(url)
  if (error instanceof OutboundNotAllowedError) return error.message
  if (error instanceof OutboundTimeoutError) return `${host} did not answer in time`
  const { code, message } = error as NodeJS.ErrnoException
  return code ? `${host} cannot be reached (${code})` : message
}
