import http from 'node:http'
import https from 'node:https'
import type { Reply } from './api.ts'
import { target } from './target.ts'

/** A GET with a JSON body, which fetch refuses to send; the path begins after `/v1`. */
export function getWithBody(path: string, body: unknown): Promise<Reply> {
  const text = body === undefined ? '' : JSON.stringify(body)
  const { request } = target.url.startsWith('https:') ? https : http
  return new Promise((resolve, reject) => {
    const sent = request(`${target.url}/v1${path}`, {
      method: 'GET',
      headers: {
        'x-api-key': target.key,
        ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
      },
    })
    sent.on('error', reject)
    sent.on('response', async (response) => {
      const parts: Buffer[] = []
      for await (const part of response) parts.push(part as Buffer)
      const answer = Buffer.concat(parts).toString()
      const headers = new Headers(response.headers as Record<string, string>)
      resolve({ status: response.statusCode!, headers, text: answer, body: JSON.parse(answer) })
    })
    sent.end(text)
  })
}
