import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

export interface ReceivedMail {
  /** Recipients as the line named them. */
  to: string[]
  mail: Email
}

/** A mail server that takes all mail, or with `refuses` none; it goes away when the test ends. */
export async function startMailServer({ refuses = false } = {}) {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      username === 'docent' && password === 's3cret/' ? done(null, { user: username }) : done(new Error('who is that')),
    onMailFrom: (_address, _session, done) => done(refuses ? new Error('the box is full') : undefined),
    onData(stream, { envelope }, done) {
      stream
        .toArray()
        .then(async (chunks) => {
          const mail = await PostalMime.parse(Buffer.concat(chunks))
          mails.push({ to: envelope.rcptTo.map(({ address }) => address), mail })
          done()
        })
        .catch(done)
    },
  })
  const listening = once(server.listen(0, '127.0.0.1'), 'listening')
  await listening
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as AddressInfo
  return {
    mails,
    /** Settings of a server that sends by it. */
    settings: { SMTP_URL: `smtp://docent:s3cret%2F@127.0.0.1:${port}`, SMTP_FROM: 'Docent <docent@example.com>' },
  }
}
