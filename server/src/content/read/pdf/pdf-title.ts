import type { ParseResult } from '@llamaindex/liteparse'

/** Titles that programs write of their own accord. */
const noTitle = /^(?:untitled|microsoft |document\d*$|slide \d+|.*\.(?:docx?|pptx?|xlsx?|pdf|indd|tex|dvi|html?)$)/i

/** Title that a PDF gives itself: of its metadata, else the heading that it begins with. */
export function pdfTitle({ docMeta, pages }: ParseResult): string | undefined {
  const list = /<dc:title\b[^>]*>([\s\S]{0,2000}?)<\/dc:title>/.exec(docMeta?.xmp ?? '')?.[1]
  const declared = decodeXml(/<rdf:li\b[^>]*>([^<]*)</.exec(list ?? '')?.[1] ?? '')
  if (declared && !noTitle.test(declared)) return declared
  const first = pages[0]?.blocks?.find((block) => block.kind !== 'rule' && block.kind !== 'figure')
  const heading = first?.kind === 'heading' ? first.text?.replace(/\s+/g, ' ').trim() : undefined
  return heading && heading.length <= 200 ? heading : undefined
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeXml(text: string): string {
  return text
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name]!)
    .replace(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Math.min(Number(code), 0x10ffff)))
    .replace(/\s+/g, ' ')
    .trim()
}
