import { expect, test } from 'vitest'
import { audioKindOf } from './audio-kind.ts'
import { audioSeconds } from './audio-seconds.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const number = (value: number, bytes: number) => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}
const little = (value: number) => number(value, 4).reverse()
const box = (name: string, ...content: Buffer[]) => {
  const body = Buffer.concat(content)
  return Buffer.concat([number(body.length + 8, 4), Buffer.from(name), body])
}
/** An element of EBML whose size takes one byte. */
const element = (id: string, content: Buffer) => Buffer.concat([hex(id), Buffer.from([0x80 | content.length]), content])

function wav(seconds: number): Buffer {
  const data = Buffer.alloc(16_000 * seconds)
  const head = [Buffer.from('RIFF'), little(36 + data.length), Buffer.from('WAVEfmt '), little(16)]
  const format = hex('0100 0100 401f0000 803e0000 0200 1000')
  return Buffer.concat([...head, format, Buffer.from('data'), little(data.length), data])
}

function flac(seconds: number): Buffer {
  const info = Buffer.alloc(34)
  info.writeUInt32BE((44_100 << 12) >>> 0, 10)
  info.writeUInt32BE(44_100 * seconds, 14)
  return Buffer.concat([Buffer.from('fLaC'), hex('80000022'), info])
}

function opus(seconds: number): Buffer {
  const page = (granule: number) => {
    const head = Buffer.alloc(27)
    head.write('OggS')
    head.writeBigInt64LE(BigInt(granule), 6)
    head[26] = 1
    return Buffer.concat([head, hex('13')])
  }
  const head = Buffer.concat([Buffer.from('OpusHead'), hex('0101'), hex('3801'), little(48_000), hex('000000')])
  return Buffer.concat([page(0), head, page(48_000 * seconds + 312), Buffer.alloc(50)])
}

function m4a(seconds: number): Buffer {
  const times = [Buffer.alloc(12), number(1000, 4), number(1000 * seconds, 4), Buffer.alloc(80)]
  return Buffer.concat([box('ftyp', Buffer.from('M4A '), number(0, 4)), box('moov', box('mvhd', ...times))])
}

/** Frames of 128 kbit/s at 44.1 kHz, behind a tag. */
function mp3(frames: number): Buffer {
  const frame = Buffer.alloc(417)
  hex('fffb9000').copy(frame)
  return Buffer.concat([hex('49443304000000000005'), Buffer.alloc(5), ...Array(frames).fill(frame)])
}

const EBML = Buffer.concat([hex('1a45dfa3'), Buffer.from([0x80 | 7]), element('4282', Buffer.from('webm'))])

/** Recording of a browser: the sizes of the groups are not known, and nothing says how long it is. */
function webm(seconds: number): Buffer {
  const unknown = '01ffffffffffffff'
  const cluster = (at: number) =>
    Buffer.concat([
      hex(`1f43b675 ${unknown}`),
      element('e7', number(at * 1000, 4)),
      element('a3', hex('81 0000 80 00')),
    ])
  return Buffer.concat([EBML, hex(`18538067 ${unknown}`), cluster(0), cluster(seconds)])
}

test.each([
  ['wav', wav(3), 3],
  ['flac', flac(90), 90],
  ['ogg', opus(61), 61],
  ['m4a', m4a(125), 125],
  ['mp3', mp3(1000), 26.12],
  ['webm', webm(42), 42],
])('the length of %s is read from the file', (extension, content, seconds) => {
  const kind = audioKindOf(content)!
  expect(kind.extension).toBe(extension)
  expect(audioSeconds(content, kind)).toBeCloseTo(seconds, 1)
})

test('a file that does not tell how long it is counts by its size', () => {
  const cut = wav(3).subarray(0, 30)
  expect(audioSeconds(Buffer.concat([cut, Buffer.alloc(7_970)]), audioKindOf(cut)!)).toBe(2)
  expect(audioSeconds(m4a(0), audioKindOf(m4a(0))!)).toBeLessThan(1)
})

test.each([
  ['a text', Buffer.from('ID3 is a tag.')],
  ['UTF-16', Buffer.from('\ufeffHello', 'utf16le')],
  ['a picture of the MP4 family', box('ftyp', Buffer.from('heic'), number(0, 4))],
  ['Matroska', element('1a45dfa3', element('4282', Buffer.from('matroska')))],
])('%s is no recording', (_, content) => {
  expect(audioKindOf(content)).toBeUndefined()
})

test('bytes at random neither hang nor break the readers', () => {
  for (const whole of [wav(1), flac(9), opus(9), m4a(9), mp3(50), webm(9)]) {
    const kind = audioKindOf(whole)!
    for (let at = 0; at < 200; at++) {
      const broken = Buffer.from(whole)
      broken[12 + ((at * 7919) % (whole.length - 12))]! ^= 1 << (at % 8)
      const seconds = audioSeconds(broken.subarray(0, whole.length - (at % 20)), kind)
      expect(seconds).toBeGreaterThan(0)
    }
  }
})
