import { connect } from 'node:net'

/** Sends bytes as they are and gives back what came until the other side closed, or after the request was cut off. */
export function sendRaw(url: string, bytes: string | Buffer, { cut = false } = {}): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.on('data', (data) => {
      answer += data.toString('latin1')
    })
    socket.on('error', (error: NodeJS.ErrnoException) => (cut ? resolve(answer) : reject(error)))
    socket.on('close', () => resolve(answer))
    socket.on('connect', () => socket.write(bytes, () => cut && setTimeout(() => socket.destroy(), 50)))
  })
}

/** A whole HTTP/1.1 request whose connection ends with the answer. */
export function rawRequest(path: string, headers: Record<string, string>, body: string | Buffer): Buffer {
  const all: Record<string, string> = {
    host: 'localhost',
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`), Buffer.from(body)])
}
