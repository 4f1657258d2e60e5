import { Agent, type IncomingMessage, request } from 'node:http'
import { readBody } from './http.ts'

/** Asks the scripted model over kept connections. */
export function createModel(modelUrl: string) {
  const agent = new Agent({ keepAlive: true })

  function ask(text: string, stream: boolean): Promise<IncomingMessage> {
    const body = JSON.stringify({ model: 'scripted', stream, messages: [{ role: 'user', content: text }] })
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    return new Promise((resolve, reject) => {
      const url = `${modelUrl}/v1/chat/completions`
      request(url, { agent, method: 'POST', headers }, resolve).on('error', reject).end(body)
    })
  }

  return {
    ask,
    async answer(text: string): Promise<string> {
      return JSON.parse((await readBody(await ask(text, false))).toString()).choices[0].message.content
    },
  }
}
