import type { DataSource } from '@docent/sdk'

export type PreviewKind = 'pdf' | 'docx' | 'pptx' | 'email' | 'image' | 'markdown' | 'table' | 'text' | 'sound' | 'film'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const PPTX = 'application/vnd.openxmlformats-officedocument.presentationml.presentation'
const MB = 1_000_000
/** Size limit of previews: above it, browsers take too long, and the indexed passages are shown instead. */
const LARGEST: Record<PreviewKind, number> = {
  pdf: 1_000 * MB,
  docx: 20 * MB,
  pptx: 100 * MB,
  email: 30 * MB,
  image: 60 * MB,
  markdown: 2 * MB,
  table: 15 * MB,
  text: 5 * MB,
  sound: 300 * MB,
  film: 300 * MB,
}

/** Kind of preview of a file; undefined if browsers cannot show it. */
export function previewKind({ media_type: type, size_bytes }: DataSource): PreviewKind | undefined {
  const kind = kindFromType(type)
  return kind && size_bytes <= LARGEST[kind] ? kind : undefined
}

function kindFromType(type: string): PreviewKind | undefined {
  if (type === 'application/pdf') return 'pdf'
  if (type === DOCX) return 'docx'
  if (type === PPTX) return 'pptx'
  if (type === 'message/rfc822') return 'email'
  if (/^image\/(png|jpeg|gif|webp|avif|bmp)$/.test(type)) return 'image'
  if (/^audio\/|^application\/ogg$/.test(type)) return 'sound'
  if (/^video\/(mp4|webm|ogg)$/.test(type)) return 'film'
  if (type === 'text/markdown') return 'markdown'
  if (/^text\/(csv|tab-separated-values)$/.test(type) || type === XLSX) return 'table'
  if (/^text\/(?!html)|^application\/(json|jsonl|x-ndjson|xml|yaml|toml)$$/.test(type)) return 'text'
  return undefined
}
