import { type AddressInfo, createServer, connect as openSocket, type Server, type Socket } from 'node:net'
import hoodiecrow from 'hoodiecrow-imap'
import { ImapFlow } from 'imapflow'
import { onTestFinished } from 'vitest'

const PASSWORD = 'secretword'

interface Mail {
  subject?: string
  text?: string
  from?: string
  messageId?: string | null
  date?: string
  /** Raw text in place of everything. */
  raw?: string
}

let made = 0

export function mailOf({ subject = 'Hello', text = 'text', from = 'Ada <ada@example.com>', ...rest }: Mail): string {
  const { messageId = `<${++made}@example.com>`, date = 'Thu, 26 Nov 2026 10:00:00 +0100', raw } = rest
  const head = [
    `From: ${from}`,
    'To: team@example.com',
    `Subject: ${subject}`,
    `Date: ${date}`,
    ...(messageId ? [`Message-ID: ${messageId}`] : []),
    'Content-Type: text/plain; charset=utf-8',
  ]
  return raw ?? [...head, '', text, ''].join('\r\n')
}

/**
 * A real IMAP server, behind a proxy at which a test can cut what goes through. With TEST_IMAP_SERVER=host:port the mail
 * server there is used in its place, such as a Dovecot that takes any user with the password `secretword`.
 */
export async function startImapServer({ plugins = [] as string[], tls = undefined as Tls | undefined } = {}) {
  const username = `reader-${process.pid}-${++made}`
  const target = await startServer(username, plugins, tls)
  const sockets = new Set<Socket>()
  let sent = 0
  let intercept: (text: string, socket: Socket) => boolean = () => false
  const proxy = createServer({ noDelay: true }, (socket) => {
    const behind = openSocket({ ...target, noDelay: true })
    sockets.add(socket)
    const end = () => {
      sockets.delete(socket)
      socket.destroy()
      behind.destroy()
    }
    for (const one of [socket, behind]) one.on('error', end).on('close', end)
    socket.on('data', (bytes) => {
      sent++
      if (!intercept(bytes.toString('latin1'), socket)) behind.write(bytes)
    })
    behind.on('data', (bytes) => socket.write(bytes))
  })
  const port = await listen(proxy)
  const writer = await connectWriter(username, target.port, tls !== undefined && !plugins.includes('STARTTLS'))
  onTestFinished(async () => {
    writer.close()
    for (const socket of sockets) socket.destroy()
    proxy.close()
    await target.close()
  })

  return {
    port,
    config: {
      host: '127.0.0.1',
      port,
      security: 'none',
      username,
      password: PASSWORD,
      requests_per_second: 100,
    },
    writer,
    /** Puts a message into a mail folder, which is made where it is not there. */
    async put(mailbox: string, mail: Mail | string) {
      const raw = typeof mail === 'string' ? mail : mailOf(mail)
      if (!(await writer.list()).some(({ path }) => path === mailbox)) await writer.mailboxCreate(mailbox)
      await target.put(mailbox, raw, writer)
    },
    async remove(mailbox: string, uids: string) {
      await writer.mailboxOpen(mailbox)
      await writer.messageDelete(uids, { uid: true })
      await writer.mailboxClose()
    },
    async move(mailbox: string, uids: string, to: string) {
      await writer.mailboxOpen(mailbox)
      await writer.messageMove(uids, to, { uid: true })
      await writer.mailboxClose()
    },
    /** Requests that came through. */
    sent: () => sent,
    /** @param by returns true for what must not reach the server */
    intercept(by: (text: string, socket: Socket) => boolean) {
      intercept = by
    },
  }
}

interface Tls {
  key: string
  cert: string
}

/** A new certificate for this machine, signed by itself. */
export async function makeCertificate(): Promise<Tls> {
  const { BasicConstraintsExtension, PemConverter, SubjectAlternativeNameExtension, X509CertificateGenerator } =
    await import('@peculiar/x509')
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=mail',
    keys,
    signingAlgorithm: { ...algorithm, hash: 'SHA-256' },
    notAfter: new Date(Date.now() + 3_600_000),
    extensions: [
      new BasicConstraintsExtension(true),
      new SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }]),
    ],
  })
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { key: PemConverter.encode(key, 'PRIVATE KEY'), cert: certificate.toString('pem') }
}

async function startServer(username: string, plugins: string[], tls: Tls | undefined) {
  const [host, given] = process.env.TEST_IMAP_SERVER?.split(':') ?? []
  if (host)
    return {
      host,
      port: Number(given),
      put: (mailbox: string, raw: string, writer: ImapFlow) => writer.append(mailbox, raw),
      close: async () => {},
    }
  const server = hoodiecrow({
    plugins: ['ID', 'SPECIAL-USE', 'UIDPLUS', 'MOVE', 'UNSELECT', 'NAMESPACE', ...plugins],
    users: { [username]: { password: PASSWORD } },
    storage: { INBOX: {}, '': { separator: '/', folders: { Trash: { 'special-use': '\\Trash' } } } },
    ...(tls && { credentials: tls, secureConnection: !plugins.includes('STARTTLS') }),
  })
  // It writes an answer line by line, and each would wait for the one before to be acknowledged.
  server.server.on('connection', (socket) => socket.setNoDelay())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    host: '127.0.0.1',
    port,
    // Its reader of APPEND takes no literals as the client sends them.
    put: async (mailbox: string, raw: string, writer: ImapFlow) => {
      const { pathAsListed } = (await writer.list()).find(({ path }) => path === mailbox)!
      server.appendMessage(server.getMailbox(pathAsListed), [], false, raw)
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

async function connectWriter(username: string, port: number, secure: boolean): Promise<ImapFlow> {
  const writer = new ImapFlow({
    host: '127.0.0.1',
    port,
    secure,
    doSTARTTLS: false,
    tls: { rejectUnauthorized: false },
    auth: { user: username, pass: PASSWORD },
    logger: false,
    disableAutoIdle: true,
  })
  writer.on('error', () => {})
  await writer.connect()
  return writer
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}
