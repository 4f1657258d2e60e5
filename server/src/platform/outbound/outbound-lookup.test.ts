import { expect, test } from 'vitest'
import { createLookUp, type LookUp } from './outbound-lookup.ts'

const address = { address: '192.0.2.1', family: 4 }
const failing =
  (code: string): LookUp =>
  async () => {
    throw Object.assign(new Error(code), { code })
  }

test('the name servers are asked, and the system is not', async () => {
  const lookUp = createLookUp({ query: async () => [address], system: failing('EAI_FAIL') })
  expect(await lookUp('hooks.example')).toEqual([address])
})

test.each(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])(
  '%s of the name servers: the system may know better',
  async (code) => {
    const lookUp = createLookUp({ query: failing(code), system: async () => [address] })
    expect(await lookUp('hooks.example')).toEqual([address])
  },
)

test('a name server that is silent is not asked again by the system', async () => {
  const lookUp = createLookUp({ query: failing('ETIMEOUT'), system: async () => [address] })
  await expect(lookUp('hooks.example')).rejects.toMatchObject({ code: 'ETIMEOUT' })
})

test('the system is asked for two names at once, and for all in the end', async () => {
  let atOnce = 0
  let most = 0
  const lookUp = createLookUp({
    query: failing('ENOTFOUND'),
    async system(host) {
      most = Math.max(most, ++atOnce)
      await new Promise((resolve) => setTimeout(resolve, 5))
      atOnce--
      if (host === 'bad.example') throw new Error('bad')
      return [address]
    },
  })
  const names = ['a.example', 'bad.example', 'c.example', 'd', 'bad.example', 'e.example', 'f.example']
  const results = await Promise.allSettled(names.map(lookUp))
  expect(results.map(({ status }) => status === 'fulfilled')).toEqual(names.map((name) => name !== 'bad.example'))
  expect(most).toBe(2)
})

test('this machine is known by its name', async () => {
  const addresses = await createLookUp()('localhost')
  expect(addresses.map((one) => one.address)).toEqual(expect.arrayContaining([expect.stringMatching(/^(127\.|::1$)/)]))
})
