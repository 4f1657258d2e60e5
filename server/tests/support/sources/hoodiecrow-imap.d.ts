declare module 'hoodiecrow-imap' {
  import type { Server } from 'node:net'

  interface ImapServer {
    server: Server
    listen(port: number, host: string, done: () => void): void
    close(done?: () => void): void
    getMailbox(path: string): unknown
    /** @param at time of its arrival; false for now */
    appendMessage(mailbox: unknown, flags: string[], at: string | false, raw: string): void
  }
  interface Options {
    plugins?: string[]
    secureConnection?: boolean
    credentials?: { key: string; cert: string }
    users?: Record<string, { password: string }>
    storage?: Record<string, unknown>
  }
  export default function hoodiecrow(options?: Options): ImapServer
}
