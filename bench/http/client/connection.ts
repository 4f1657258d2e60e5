import { connect, type Socket } from 'node:net'
import { createResponseReader } from './response-reader.ts'

const SILENCE_MS = 60_000

export interface Response {
  status: number
  /** Empty when the body was read as it came. */
  body: string
  /** Time from the request's last byte to the response's. */
  ms: number
}

/** A reader of a body, called with each piece when it arrives. */
export type OnBody = (chunk: Buffer) => void

/** One keep-alive connection to a server of the bench, for one request at a time. */
export class Connection {
  readonly #url: URL
  #socket: Socket | undefined
  #current: { resolve(response: Response): void; reject(error: Error): void } | undefined
  #onBody: OnBody | undefined
  #status = 0
  #parts: Buffer[] = []
  #sentAt = 0

  constructor(url: URL) {
    this.#url = url
  }

  /** Connects, so that the first request need not. */
  async open(): Promise<void> {
    if (this.#socket) return
    const socket = connect({ host: this.#url.hostname, port: Number(this.#url.port), noDelay: true })
    this.#socket = socket
    const read = createResponseReader({
      head: (status) => {
        this.#status = status
      },
      body: (chunk) => {
        // A failed request is answered in JSON, whatever was asked for.
        if (this.#onBody && this.#status === 200) this.#onBody(chunk)
        else this.#parts.push(chunk)
      },
      end: () => this.#finish(),
    })
    socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error(`silence for ${SILENCE_MS} ms`)))
    socket.on('data', (bytes) => {
      try {
        read(bytes)
      } catch (error) {
        socket.destroy(error as Error)
      }
    })
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('the server closed the connection')))
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
  }

  async send(request: string, onBody?: OnBody): Promise<Response> {
    await this.open()
    return new Promise((resolve, reject) => {
      this.#current = { resolve, reject }
      this.#onBody = onBody
      this.#parts = []
      this.#sentAt = performance.now()
      this.#socket!.write(request)
    })
  }

  close(): void {
    this.#socket?.destroy()
  }

  #finish(): void {
    const current = this.#current
    this.#current = undefined
    const body = this.#parts.length > 0 ? Buffer.concat(this.#parts).toString() : ''
    current?.resolve({ status: this.#status, body, ms: performance.now() - this.#sentAt })
  }

  #fail(error: Error): void {
    this.#socket = undefined
    const current = this.#current
    this.#current = undefined
    current?.reject(error)
  }
}
