/** Format of a picture as its file extension, and its size as far as the first bytes tell (else 0). */
export function imageKind(head: Buffer): { format: string; megapixels: number } {
  if (head[0] === 0x89) return { format: 'png', megapixels: area(head, 16, 4) }
  if (head[0] === 0xff) return { format: 'jpg', megapixels: jpegArea(head) }
  if (head[0] === 0x47) return { format: 'gif', megapixels: 0 }
  if (head[0] === 0x42) return { format: 'bmp', megapixels: 0 }
  if (head[0] === 0x52) return { format: 'webp', megapixels: 0 }
  return { format: 'tiff', megapixels: 0 }
}

function area(head: Buffer, at: number, bytes: 2 | 4): number {
  if (head.length < at + 2 * bytes) return 0
  return (head.readUIntBE(at, bytes) * head.readUIntBE(at + bytes, bytes)) / 1e6
}

/** Height and width are in the frame header, behind segments of any length. */
function jpegArea(head: Buffer): number {
  for (let at = 2; at + 9 < head.length && head[at] === 0xff; at += 2 + head.readUInt16BE(at + 2)) {
    const marker = head[at + 1]!
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
    if (isFrame) return area(head, at + 5, 2)
  }
  return 0
}
