import type { Thread } from '@docent/sdk'

const COLUMNS: [name: string, of: (thread: Thread) => string | number][] = [
  ['id', ({ id }) => id],
  ['title', ({ title }) => title],
  ['chat_type', ({ chat_type }) => chat_type],
  ['status', ({ status }) => status],
  ['virtual_users', ({ virtual_users }) => virtual_users.map(({ email }) => email).join(' ')],
  ['virtual_user_count', ({ virtual_user_count }) => virtual_user_count],
  ['messages', ({ message_count }) => message_count],
  ['tokens', ({ total_tokens }) => total_tokens],
  ['feedback_up', ({ feedback }) => feedback.up],
  ['feedback_down', ({ feedback }) => feedback.down],
  ['created_at', ({ created_at }) => created_at],
  ['last_message_at', ({ last_message_at }) => last_message_at ?? ''],
]

/** CSV with one line per thread, and a column for every metadata key of any of them. */
export function toCsv(threads: Thread[]): string {
  const keys = [...new Set(threads.flatMap(({ metadata }) => Object.keys(metadata)))].sort()
  const head = [...COLUMNS.map(([name]) => name), ...keys.map((key) => `metadata.${key}`)]
  const lines = threads.map((thread) => [
    ...COLUMNS.map(([, of]) => of(thread)),
    ...keys.map((key) => thread.metadata[key] ?? ''),
  ])
  return [head, ...lines].map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('')
}

function toCell(value: string | number): string {
  if (typeof value === 'number') return String(value)
  // Spreadsheets would run such text as a formula that somebody wrote into a title.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
