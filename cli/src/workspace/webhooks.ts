import { setTimeout as delay } from 'node:timers/promises'
import { DocentError, type WebhookDelivered } from '@docent/sdk'
import type { Command } from 'commander'
import { usageError } from '../failures.ts'
import { openSession, type Session } from '../session.ts'

/** Pause before the next try to reach a server that is away. */
const PAUSE_MS = 2_000
/** Default time limit for a receiver. */
const TIMEOUT_MS = 15_000

interface Target {
  url: string
  /** Tells the secret that signs, once events come. */
  tellSecret(): void
}

/** Adds `docent webhooks`. */
export function addWebhooks(program: Command): void {
  const webhooks = program.command('webhooks').description('events of the workspace').helpCommand(false)
  webhooks
    .command('listen')
    .description('send the events and results of the workspace on to a program of yours, until Ctrl+C')
    .requiredOption('--forward-to <url>', 'where to, for instance http://localhost:3000/hooks, or only a port')
    .action(async (options: { forwardTo: string }, command: Command) => listen(options.forwardTo, command))
}

async function listen(forwardTo: string, command: Command): Promise<void> {
  const url = toUrl(forwardTo)
  const session = await openSession(command)
  const { secret } = await session.client.webhooks.secret.get(await session.workspaceId())
  const target: Target = {
    url,
    tellSecret: once(() => say(session, { secret, forward_to: url }, `Signed with ${secret}`)),
  }
  const stop = new AbortController()
  const end = () => stop.abort()
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  try {
    while (!stop.signal.aborted) await forwardAll(session, target, stop.signal)
  } catch (error) {
    if (!stop.signal.aborted) throw error
  } finally {
    process.off('SIGINT', end)
    process.off('SIGTERM', end)
  }
}

/** Sends events on, one after the other, until the server is away; then it waits a little. */
async function forwardAll(session: Session, { url, tellSecret }: Target, signal: AbortSignal): Promise<void> {
  const onOpen = () => {
    tellSecret()
    session.tell(`Listening: events go to ${url}`)
  }
  try {
    const events = session.client.webhooks.listen(await session.workspaceId(), { signal, onOpen })
    for await (const event of events) await forward(session, url, event)
  } catch (error) {
    const isAway = error instanceof DocentError && (error.status === 0 || error.status === 429 || error.status >= 500)
    if (!isAway || signal.aborted) throw error
    session.tell(`The server is away (${error.message}): trying again`)
    await delay(PAUSE_MS, undefined, { signal })
  }
}

async function forward(session: Session, url: string, event: WebhookDelivered): Promise<void> {
  // A result has the contract's body, which names no type.
  const { type = 'async_query' } = JSON.parse(event.body) as { type?: string }
  const id = event.headers['webhook-id']!
  const answered = await post(url, event)
  const result = answered.status === null ? answered.error : answered.status
  say(session, { id, type, ...answered }, `${result}  ${type}  ${id}`)
}

async function post(
  url: string,
  { headers, body }: WebhookDelivered,
): Promise<{ status: number } | { status: null; error: string }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Docent-Webhooks', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await response.body?.cancel()
    return { status: response.status }
  } catch (error) {
    const { message, cause } = error as Error & { cause?: NodeJS.ErrnoException }
    return { status: null, error: cause?.code ?? message }
  }
}

function once(act: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}

/** Prints a line for people, or a value on a line of its own. */
function say({ isJson }: Session, value: object, line: string): void {
  console.log(isJson ? JSON.stringify(value) : line)
}

/** @throws CommandError for what is no address */
function toUrl(text: string): string {
  const whole = /^\d+$/.test(text) ? `http://127.0.0.1:${text}` : text.includes('://') ? text : `http://${text}`
  const url = URL.canParse(whole) ? new URL(whole) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw usageError(`"${text}" is no URL to send to: write it like http://localhost:3000/hooks`)
  return url.href
}
