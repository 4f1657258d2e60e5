import { isIP } from 'node:net'
import type { FetchMessageObject, ImapFlow, ImapFlowError, ListResponse } from 'imapflow'
import { type OutboundGuard, OutboundNotAllowedError } from '../../platform/outbound/outbound-guard.ts'
import { SourceItemError, SourceUnavailableError } from '../source.ts'
import { createPace } from '../sync/pace.ts'
import type { ImapSourceConfig } from './imap-kind.ts'

const CONNECT_MS = 10_000
const SILENCE_MS = 60_000
const PIECE_BYTES = 256 * 1024
/** Bounds what a server can make this process hold: the ids of 100,000 messages are less than one megabyte. */
const LONGEST_LINE = 16 * 1024 * 1024
const DESCRIBED_AT_ONCE = 500
const MOST_ADDRESSES = 4

const LIMITS = {
  logger: false,
  disableAutoIdle: true,
  disableCompression: true,
  connectionTimeout: CONNECT_MS,
  greetingTimeout: CONNECT_MS,
  socketTimeout: SILENCE_MS,
  maxLineLength: LONGEST_LINE,
  maxLiteralSize: LONGEST_LINE,
  maxResponseSize: 2 * LONGEST_LINE,
} as const

/** State of a mailbox; as long as it is the same, no message came and none went. */
export interface MailboxState {
  uidValidity: string
  uidNext: number
  messages: number
}

export type ImapClient = Awaited<ReturnType<typeof connectImap>>

/**
 * Opens a connection and logs in; it only reads. The server is asked for one thing after the other.
 * @throws SourceUnavailableError
 */
export async function connectImap(guard: OutboundGuard, config: ImapSourceConfig, signal: AbortSignal) {
  const { host, security, requests_per_second } = config
  const port = config.port ?? (security === 'tls' ? 993 : 143)
  const pace = createPace(requests_per_second)
  const fail = (error: unknown) => toFailure(error, { host: `${host}:${port}`, security })

  const flow = await connect(guard, config, port, signal).catch((error) => {
    throw fail(error)
  })

  async function ask<T>(question: () => Promise<T>): Promise<T> {
    await pace(signal)
    try {
      return await question()
    } catch (error) {
      signal.throwIfAborted()
      throw fail(error)
    }
  }

  /** Opens a mailbox for reading, if it is not open. */
  async function select(path: string): Promise<void> {
    if (flow.mailbox && flow.mailbox.path === path) return
    await ask(() => flow.mailboxOpen(path, { readOnly: true }))
  }

  return {
    list: (): Promise<ListResponse[]> => ask(() => flow.list()),

    async stateOf(path: string): Promise<MailboxState> {
      const status = await ask(() => flow.status(path, { uidValidity: true, uidNext: true, messages: true }))
      if (!status || status.uidValidity === undefined)
        throw new SourceItemError('the mail server says nothing of this mail folder')
      const { uidValidity, uidNext = 0, messages = 0 } = status
      return { uidValidity: String(uidValidity), uidNext, messages }
    },

    /** Ids of all messages of a mailbox, in order. @param since only those that came that day or later */
    async uids(path: string, since: string | undefined): Promise<number[]> {
      await select(path)
      const found = await ask(() => flow.search(since ? { since: new Date(since) } : { all: true }, { uid: true }))
      if (!found) throw new SourceItemError('the mail server does not list its messages')
      return found
    },

    /** Size and head of messages. */
    async *describe(path: string, uids: readonly number[]): AsyncGenerator<FetchMessageObject> {
      await select(path)
      for (let from = 0; from < uids.length; from += DESCRIBED_AT_ONCE) {
        const some = uids.slice(from, from + DESCRIBED_AT_ONCE)
        const query = { uid: true, size: true, internalDate: true, envelope: true }
        yield* await ask(() => flow.fetchAll([...some], query, { uid: true }))
      }
    },

    /** A message as it was sent. It is read in pieces, so a large one is never in memory. */
    async read(path: string, uid: number): Promise<AsyncIterable<Buffer>> {
      await select(path)
      const options = { uid: true, chunkSize: PIECE_BYTES }
      const { content } = await ask(() => flow.download(String(uid), undefined, options))
      if (!content) throw new SourceItemError('gone while it was read')
      return pieces(content, (error) => {
        signal.throwIfAborted()
        return fail(error)
      })
    },

    async close(): Promise<void> {
      // Only a courtesy: the connection ends either way.
      if (flow.usable) await Promise.race([flow.logout().catch(() => {}), waitOrEnd(flow)])
      flow.close()
    },
  }
}

/** Tries the addresses of the host one after the other. */
async function connect(
  guard: OutboundGuard,
  { host, security, username, password }: ImapSourceConfig,
  port: number,
  signal: AbortSignal,
): Promise<ImapFlow> {
  const [{ ImapFlow }, addresses] = await Promise.all([import('imapflow'), guard.resolve({ host, port })])
  let refused: unknown
  for (const { address } of addresses.slice(0, MOST_ADDRESSES)) {
    const flow = new ImapFlow({
      // The address that was checked: the name may lead elsewhere at the next look-up.
      host: address,
      port,
      secure: security === 'tls',
      doSTARTTLS: security === 'starttls',
      ...(isIP(host) ? {} : { servername: host }),
      auth: { user: username, pass: password },
      clientInfo: { name: 'Docent' },
      ...LIMITS,
    })
    // The command that runs is rejected, too; without a listener the process would end.
    flow.on('error', () => {})
    const stop = () => flow.close()
    signal.addEventListener('abort', stop, { once: true })
    try {
      await flow.connect()
      return flow
    } catch (error) {
      signal.removeEventListener('abort', stop)
      flow.close()
      signal.throwIfAborted()
      refused = error
      if ((error as ImapFlowError).authenticationFailed) break
    }
  }
  throw refused ?? new Error('The name has no address')
}

const LOGOUT_MS = 2_000

const waitOrEnd = (flow: ImapFlow) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, LOGOUT_MS)
    flow.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })

async function* pieces(content: AsyncIterable<Buffer>, fail: (error: unknown) => unknown): AsyncIterable<Buffer> {
  try {
    yield* content
  } catch (error) {
    throw fail(error)
  }
}

function toFailure(error: unknown, { host, security }: { host: string; security: string }): Error {
  if (error instanceof SourceUnavailableError || error instanceof SourceItemError) return error
  const { code, responseText, responseStatus, tlsFailed, authenticationFailed, message } = error as ImapFlowError
  const say = (field: string, text: string) => new SourceUnavailableError(field, text, { cause: error })
  if (error instanceof OutboundNotAllowedError) return say('host', message)
  if (authenticationFailed) return say('password', 'the mail server does not accept these credentials')
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG')
    return say('security', `${host} does not speak TLS; where it offers STARTTLS, choose that`)
  if (code && /CERT|ERR_TLS|ERR_SSL|SELF_SIGNED|UNABLE_TO_/.test(code))
    return say('host', `the certificate of ${host} is not valid for it (${code})`)
  if (tlsFailed || (security === 'starttls' && code === 'MissingServerExtension'))
    return say('security', `${host} does not offer STARTTLS`)
  if (code === 'CONNECT_TIMEOUT' || code === 'GREETING_TIMEOUT' || code === 'ETIMEOUT' || code === 'UPGRADE_TIMEOUT')
    return say('host', `${host} did not answer in time`)
  if (code === 'ETHROTTLE') return say('host', 'the mail server asks to come back later')
  if (responseStatus === 'NO' || responseStatus === 'BAD')
    return new SourceItemError(`the mail server refuses it (${(responseText ?? '').slice(0, 200)})`, { cause: error })
  return say('host', `${host} cannot be reached (${code ?? 'the connection broke off'})`)
}
