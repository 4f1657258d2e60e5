import type { Message } from './slack-api.ts'
import type { People } from './slack-users.ts'

const LONGEST_SUBJECT = 80

/** Message of a channel with the replies to it. */
export interface Conversation {
  message: Message
  /** The oldest first. */
  replies: Message[]
}

/** Day (UTC) of a time as Slack writes it. */
export const dayOf = (ts: string): string => isoOf(ts).slice(0, 10)

const isoOf = (ts: string): string => new Date(Number(ts) * 1000).toISOString()
const timeOf = (ts: string): string => isoOf(ts).slice(11, 16)

/**
 * A day of a channel as Markdown. Each thread has a heading with its subject, and messages outside of threads share one
 * as long as no thread comes between: so a passage holds what belongs together, and says where it is.
 */
export function toMarkdown(title: string, conversations: Conversation[], people: People): string {
  const parts = [`# ${title}`]
  let isInRun = false
  for (const { message, replies } of conversations) {
    const text = textOf(message, people)
    const time = timeOf(message.ts)
    if (replies.length > 0) parts.push(`## ${time} ${subjectOf(text)}`.trimEnd())
    else if (!isInRun) parts.push(`## ${time}`)
    isInRun = replies.length === 0
    parts.push(line(message, time, text, people))
    const day = dayOf(message.ts)
    for (const reply of replies) {
      const at = dayOf(reply.ts) === day ? timeOf(reply.ts) : `${dayOf(reply.ts)} ${timeOf(reply.ts)}`
      parts.push(line(reply, at, textOf(reply, people), people))
    }
  }
  return `${parts.join('\n\n')}\n`
}

const line = ({ user, username, files = [] }: Message, at: string, text: string, people: People): string => {
  const names = files.flatMap(({ name, mode }) => (name && mode !== 'tombstone' ? [`[file: ${name}]`] : []))
  return `**${people.get(user ?? '') ?? username ?? user ?? 'unknown'}** (${at}): ${[text, ...names].filter(Boolean).join(' ')}`
}

const subjectOf = (text: string): string => {
  const first = text.split('\n')[0]!.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
  return first.length > LONGEST_SUBJECT ? `${first.slice(0, LONGEST_SUBJECT).toWellFormed()}…` : first
}

/** Text of a message without Slack's marks for people, channels and links. */
export function textOf({ text, attachments = [] }: Message, people: People): string {
  const all = [text, ...attachments.map(({ text, fallback }) => text || fallback || '')].filter(Boolean).join('\n')
  return all
    .replace(/<([^<>]+)>/g, (_, inside: string) => replaced(inside, people))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .trim()
}

function replaced(inside: string, people: People): string {
  const bar = inside.indexOf('|')
  const [target, label] = bar < 0 ? [inside, ''] : [inside.slice(0, bar), inside.slice(bar + 1)]
  if (target.startsWith('@')) return `@${people.get(target.slice(1)) ?? (label || target.slice(1))}`
  if (target.startsWith('#')) return `#${label || target.slice(1)}`
  if (target.startsWith('!')) return label || `@${target.slice(1).split('^')[0]}`
  return label && /^https?:/.test(target) ? `[${label}](${target})` : target.replace(/^mailto:/, '')
}
