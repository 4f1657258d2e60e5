import { expect, test, vi } from 'vitest'
import { renewingFetch } from './renewing-fetch.ts'

/** A server that takes one token. */
function start({ valid = 'new', renew }: { valid?: string; renew: () => Promise<string | undefined> }) {
  const sent: string[] = []
  const onEnded = vi.fn()
  const holder = { token: 'old' }
  const fetch = renewingFetch({
    async fetch(_input, init) {
      const token = new Headers(init?.headers).get('x-api-key')!
      sent.push(token)
      return new Response(null, { status: token === valid ? 200 : 401 })
    },
    holder,
    renew,
    onEnded,
  })
  return { sent, onEnded, holder, get: async () => (await fetch('https://docent.example/v1/me')).status }
}

test('a token that is refused is renewed once for all requests that wait, which are then sent again', async () => {
  const renew = vi.fn(async () => 'new')
  const { sent, holder, get, onEnded } = start({ renew })
  expect(await Promise.all([get(), get(), get()])).toEqual([200, 200, 200])
  expect(renew).toHaveBeenCalledOnce()
  expect(holder.token).toBe('new')
  expect(sent.filter((token) => token === 'new')).toHaveLength(3)
  expect(await get()).toBe(200)
  expect(onEnded).not.toHaveBeenCalled()
})

test('without another token the refusal stays, and is told', async () => {
  for (const renew of [async () => 'old', async () => undefined, () => Promise.reject(new Error('away'))]) {
    const { get, onEnded, sent } = start({ renew })
    expect(await get()).toBe(401)
    expect(onEnded).toHaveBeenCalledOnce()
    expect(sent).toEqual(['old'])
  }
})
