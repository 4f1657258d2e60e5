import { Docent } from '../index.ts'

/** Client for tests, whose requests go nowhere but into `sent`. */
export function recordingClient() {
  const sent: { method: string; url: URL; headers: Headers }[] = []
  const record: typeof fetch = async (input, init) => {
    const url = new URL(String(input))
    sent.push({ method: init!.method!, url, headers: new Headers(init!.headers) })
    return new Response(url.pathname.endsWith('/events') ? 'data: [DONE]\n\n' : '{"data":{}}')
  }
  return { sent, docent: new Docent({ baseUrl: 'https://docent.example', apiKey: 'dct_key', fetch: record }) }
}
