import { lazy } from '../../platform/concurrency/lazy.ts'

export interface MailSettings {
  /** `smtp://USER:PASSWORD@HOST:587` or `smtps://…` */
  url: string
  /** Sender, with or without a name. */
  from: string
}

export interface Mail {
  to: string
  subject: string
  text: string
}

export interface Mailer {
  /** Resolves once the server has taken it. @throws Error of the line or of the server */
  send(mail: Mail): Promise<void>
}

const TIMEOUT_MS = 15_000

export function createMailer({ url, from }: MailSettings): Mailer {
  const transport = lazy(async () => {
    const { createTransport } = await import('nodemailer')
    const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
    return createTransport({ url, ...timeouts, disableFileAccess: true, disableUrlAccess: true })
  })
  return {
    async send({ to, subject, text }) {
      // As an object: an address in a text could hold several.
      await (await transport.get()).sendMail({ from, to: { name: '', address: to }, subject, text })
    },
  }
}
