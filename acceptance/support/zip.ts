import { inflateRawSync } from 'node:zlib'

/** Names and texts of what is in a ZIP, by its central directory. @throws on anything else. */
export function readZip(zip: Buffer): Record<string, string> {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end < 0) throw new Error('This is no ZIP')
  const entries: Record<string, string> = {}
  let at = zip.readUInt32LE(end + 16)
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset))
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength!)
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const bytes = zip.subarray(start, start + zip.readUInt32LE(at + 20))
    entries[name] = (zip.readUInt16LE(at + 10) === 8 ? inflateRawSync(bytes) : bytes).toString()
    at += 46 + nameLength! + extraLength! + commentLength!
  }
  return entries
}
