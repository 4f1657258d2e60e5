import type { LinkRecord } from './links.store.ts'

/** Look of a link on the wire. */
export const lookOf = ({ token, look }: LinkRecord) => ({
  color: look.color,
  position: look.position,
  starter_questions: look.starterQuestions,
  language: look.language,
  logo_url: look.logo && `/v1/shared/${token}/logo?v=${look.logo.slice(0, 16)}`,
})
