import { expect, test } from 'vitest'
import { isSpecialAddress } from './outbound-address.ts'
import { parseOutboundAllow } from './outbound-allow.ts'
import { createOutboundGuard, OutboundNotAllowedError, refusalOf } from './outbound-guard.ts'

const nothing = parseOutboundAllow('')
const guard = createOutboundGuard({ allow: nothing })

test.each([
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.7',
  '203.0.113.9',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::7f00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd12:3456::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
])('%s is a special address', (address) => expect(isSpecialAddress(address)).toBe(true))

test.each([
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:4860:4860::8888',
  '2606:4700::1111',
  '2a00:1450::1',
])('%s is an address of the internet', (address) => expect(isSpecialAddress(address)).toBe(false))

test.each([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.0.1',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://127.0.0.1./',
  'http://%31%32%37.0.0.1/',
  'http://１２７.0.0.1/',
  'http://127。0。0。1/',
  'http://0/',
  'http://[::1]/',
  'http://[::]/',
  'http://[0:0:0:0:0:0:0:1]:8080/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[fe80::1]/',
  'http:127.0.0.1',
  'http:\\\\127.0.0.1\\',
  'https://169.254.169.254/latest/meta-data/',
])('%s is refused, and the setting is named', (url) => {
  expect(() => guard.parse(url)).toThrow(OutboundNotAllowedError)
  expect(() => guard.parse(url)).toThrow('DOCENT_OUTBOUND_ALLOW')
})

test.each(['http://127.0.0.1:11434/v1', 'https://10.0.0.7/', 'http://[::1]:8080/'])(
  'the refusal of %s names what to put into the setting',
  (url) => {
    const entry = /DOCENT_OUTBOUND_ALLOW=(\S+)$/.exec(refusalOf(guard, url)!)![1]!
    expect(refusalOf(createOutboundGuard({ allow: parseOutboundAllow(entry) }), url)).toBeUndefined()
  },
)

test.each([
  ['', 'not a URL'],
  ['example', 'not a URL'],
  ['http://', 'not a URL'],
  ['http://1.2.3.4.5/', 'not a URL'],
  ['http://[fe80::1%25eth0]/', 'not a URL'],
  ['ftp://example.com/', 'http:// or https://'],
  ['file:///etc/passwd', 'http:// or https://'],
  ['javascript:alert(1)', 'http:// or https://'],
  ['gopher://example.com/', 'http:// or https://'],
  ['http://user@example.com/', 'credentials'],
  ['http://:secret@example.com/', 'credentials'],
  ['http://user:secret@example.com/', 'credentials'],
  [`http://example.com/${'x'.repeat(2030)}`, '2048'],
])('%j is refused: %s', (url, reason) => expect(() => guard.parse(url)).toThrow(reason))

test('a URL of 2048 characters is long enough', () => {
  const url = `http://example.com/${'x'.repeat(2048 - 'http://example.com/'.length)}`
  expect(guard.parse(url)).toMatchObject({ host: 'example.com', port: 80 })
})

const resolvesTo = (...addresses: string[]) =>
  createOutboundGuard({
    allow: nothing,
    lookUp: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  })

test('a name is refused for one special address among others', async () => {
  const name = { host: 'example.com', port: 443 }
  expect(await resolvesTo('1.1.1.1', '2606:4700::1111').resolve(name)).toHaveLength(2)
  await expect(resolvesTo('1.1.1.1', '10.0.0.1').resolve(name)).rejects.toThrow('DOCENT_OUTBOUND_ALLOW')
  await expect(resolvesTo('2606:4700::1111', '::1').resolve(name)).rejects.toThrow(OutboundNotAllowedError)
})

test.each([
  ['10.0.0.0/8', 'http://10.1.2.3/', true],
  ['10.0.0.0/8', 'http://11.1.2.3:80/', true],
  ['10.0.0.0/8', 'http://192.168.0.1/', false],
  ['10.0.0.0/8:8080', 'http://10.1.2.3:8080/', true],
  ['10.0.0.0/8:8080', 'http://10.1.2.3/', false],
  ['127.0.0.1:9000', 'http://127.0.0.1:9000/', true],
  ['127.0.0.1:9000', 'http://127.0.0.2:9000/', false],
  ['127.0.0.1', 'http://127.0.0.1:1234/', true],
  ['127.0.0.0/8', 'http://[::ffff:127.0.0.1]/', true],
  ['::1/128', 'http://[::1]:1234/', true],
  ['::/0', 'http://127.0.0.1/', false],
  ['[::1]:80', 'http://[::1]/', true],
  ['[::1]:80', 'http://[::1]:81/', false],
  ['[fd00::/8]:443', 'https://[fd00::5]/', true],
  [' 10.0.0.0/8 , 127.0.0.1/32:8080 ', 'http://127.0.0.1:8080/', true],
])('with DOCENT_OUTBOUND_ALLOW=%s, %s is allowed: %j', (text, url, expected) => {
  const attempt = () => createOutboundGuard({ allow: parseOutboundAllow(text) }).parse(url)
  if (expected) expect(attempt()).toBeDefined()
  else expect(attempt).toThrow(OutboundNotAllowedError)
})

test('host:port allows what the name resolves to, at that port', async () => {
  const allow = parseOutboundAllow('Hooks.internal:8080')
  const lookUp = async () => [{ address: '10.0.0.7', family: 4 }]
  const { resolve } = createOutboundGuard({ allow, lookUp })
  expect(await resolve({ host: 'hooks.internal', port: 8080 })).toEqual([{ address: '10.0.0.7', family: 4 }])
  await expect(resolve({ host: 'hooks.internal', port: 80 })).rejects.toThrow(OutboundNotAllowedError)
  await expect(resolve({ host: 'other.internal', port: 8080 })).rejects.toThrow(OutboundNotAllowedError)
})

test.each([
  '10.0.0.0/33',
  '10.0.0/8',
  '::1/129',
  'example.com',
  'example.com:0',
  'example.com:99999',
  'http://x:80',
  '10.0.0.0/8:',
  '10.0.0.0/8/9',
  'a b:80',
  '*:80',
])('DOCENT_OUTBOUND_ALLOW=%s is told what it must be', (text) =>
  expect(() => parseOutboundAllow(text)).toThrow('must be a list of CIDR, CIDR:port or host:port'),
)
