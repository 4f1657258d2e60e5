import CFB from 'cfb'

/** Texts of a message by the ids of their properties; bytes where they are no text. */
type Properties = Record<number, string | Buffer | number | Date | undefined>

export interface OutlookMessage {
  subject?: string
  body?: string
  html?: Buffer
  /** Text in the format that Outlook packs RTF in. */
  rtf?: Buffer
  from?: { name: string; address: string }
  to?: { name: string; address: string; type?: 'to' | 'cc' }[]
  date?: Date
  files?: ({ name: string; content: Buffer } | { name: string; message: OutlookMessage })[]
  /** Code page of texts that are not in Unicode; absent for Unicode. */
  codePage?: { number: number; encode(text: string): Buffer }
}

const ID = { subject: 0x0037, body: 0x1000, rtf: 0x1009, html: 0x1013, name: 0x3001, address: 0x39fe }

/** A message as Outlook saves it, by [MS-OXMSG]. */
export function msg(message: OutlookMessage): Buffer {
  const file = CFB.utils.cfb_new()
  const add = (path: string, content: Buffer) => CFB.utils.cfb_add(file, path, content)
  for (const stream of ['00020102', '00030102', '00040102'])
    add(`/__nameid_version1.0/__substg1.0_${stream}`, Buffer.alloc(stream === '00030102' ? 0 : 16))
  addMessage(add, '/', message, 32)
  CFB.utils.cfb_del(file, '/\u0001Sh33tJ5')
  return CFB.write(file, { type: 'buffer' })
}

type Add = (path: string, content: Buffer) => void

function addMessage(add: Add, at: string, message: OutlookMessage, headBytes: number): void {
  const { subject, body, html, rtf, from, to = [], date, files = [], codePage } = message
  const properties: Properties = {
    26: 'IPM.Note',
    ...(subject !== undefined && { [ID.subject]: subject }),
    ...(body !== undefined && { [ID.body]: body }),
    ...(html && { [ID.html]: html }),
    ...(rtf && { [ID.rtf]: rtf }),
    ...(from && { 3098: from.name, 3103: from.address, 23809: from.address }),
    ...(date && { 3590: date }),
    ...(codePage && { 16381: codePage.number }),
  }
  const head = Buffer.alloc(headBytes)
  head.writeUInt32LE(to.length, 8)
  head.writeUInt32LE(files.length, 12)
  head.writeUInt32LE(to.length, 16)
  head.writeUInt32LE(files.length, 20)
  addProperties(add, at, properties, head, codePage?.encode)
  for (const [index, { name, address, type = 'to' }] of to.entries())
    addProperties(add, `${at}__recip_version1.0_#${numbered(index)}/`, {
      [ID.name]: name,
      [ID.address]: address,
      3093: type === 'to' ? 1 : 2,
    })
  for (const [index, file] of files.entries()) {
    const place = `${at}__attach_version1.0_#${numbered(index)}/`
    const isMessage = 'message' in file
    addProperties(add, place, {
      ...(isMessage ? { [ID.name]: file.name } : { 14081: file.content, 14087: file.name }),
      14085: isMessage ? 5 : 1,
    })
    if (isMessage) addMessage(add, `${place}__substg1.0_3701000D/`, file.message, 24)
  }
}

const numbered = (index: number): string => index.toString(16).toUpperCase().padStart(8, '0')

function addProperties(
  add: Add,
  at: string,
  properties: Properties,
  head: Buffer = Buffer.alloc(8),
  encode?: (text: string) => Buffer,
): void {
  const entries = Object.entries(properties).flatMap(([id, value]) => {
    if (value === undefined) return []
    const entry = Buffer.alloc(16)
    const type = typeOf(value, encode !== undefined)
    entry.writeUInt32LE(((Number(id) << 16) | type) >>> 0, 0)
    entry.writeUInt32LE(6, 4)
    if (typeof value === 'number') entry.writeUInt32LE(value, 8)
    else if (value instanceof Date) entry.writeBigUInt64LE((BigInt(value.getTime()) + 11_644_473_600_000n) * 10_000n, 8)
    else {
      const bytes = typeof value !== 'string' ? value : encode ? encode(value) : Buffer.from(value, 'utf16le')
      entry.writeUInt32LE(bytes.length, 8)
      const tag = Number(id).toString(16).toUpperCase().padStart(4, '0')
      add(`${at}__substg1.0_${tag}${type.toString(16).toUpperCase().padStart(4, '0')}`, bytes)
    }
    return entry
  })
  add(`${at}__properties_version1.0`, Buffer.concat([head, ...entries]))
}

function typeOf(value: NonNullable<Properties[number]>, isEncoded: boolean): number {
  if (typeof value === 'number') return 0x0003
  if (value instanceof Date) return 0x0040
  if (typeof value === 'string') return isEncoded ? 0x001e : 0x001f
  return 0x0102
}

/** RTF that is stored without being packed, as [MS-OXRTFCP] permits. */
export function plainRtf(text: string): Buffer {
  const head = Buffer.alloc(16)
  head.writeUInt32LE(text.length + 12, 0)
  head.writeUInt32LE(text.length, 4)
  head.write('MELA', 8)
  return Buffer.concat([head, Buffer.from(text, 'latin1')])
}
