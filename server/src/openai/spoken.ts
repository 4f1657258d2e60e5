import { QuestionText } from '../chats/chats.ts'
import { invalidField, ValidationError } from '../platform/errors.ts'

/**
 * A file or picture that came with a message: stored before, sent with a message of another chat, inside the request, or
 * somewhere on the web. The path is the field of the request, for errors: `messages.2.content.0`.
 */
export type Attachment = { path: string; fileName?: string } & (
  | { kind: 'upload'; id: string }
  | { kind: 'sent'; blobKey: string; fileName: string }
  | { kind: 'data'; dataUrl: string }
  | { kind: 'url'; url: string }
)

/** A part of a message, by the fields of both APIs; one of the first four holds a file or picture. */
interface Part {
  type?: string
  file_id?: string | null | undefined
  file_data?: string | null | undefined
  file_url?: string | null | undefined
  image_url?: string | null | undefined
  filename?: string | null | undefined
  text?: string
}

/** One message of a conversation that a client keeps, whichever of the two APIs it came by. */
export interface Spoken {
  role: 'system' | 'user' | 'assistant'
  text: string
  attachments: Attachment[]
  /** Field of the request, for errors: `messages.2`. */
  path: string
}

/** Content of a message without its files. */
export const textOf = (content: string | Part[]): string =>
  typeof content === 'string' ? content : content.flatMap(({ text }) => text ?? []).join('\n\n')

/** Text that tells a call of a client's tool in the history. */
export const toldCall = (name: string, given: string): string => `(A tool was called: ${name} ${given})`

/** Text that tells the result of such a call. */
export const toldResult = (result: string): string => `(The tool answered: ${result})`

/** Makes one message of its role and its content, as the two APIs have them. */
export function toSpoken(
  { role, content }: { role: Spoken['role'] | 'developer'; content?: string | Part[] | null | undefined },
  path: string,
): Spoken {
  const parts = typeof content === 'string' ? [{ text: content }] : (content ?? [])
  return {
    role: role === 'developer' ? 'system' : role,
    text: textOf(parts),
    attachments: parts.flatMap((part, index) => toAttachment(part, `${path}.content.${index}`) ?? []),
    path,
  }
}

function toAttachment({ filename, ...part }: Part, path: string): Attachment | undefined {
  const file = { path, ...(filename && { fileName: filename }) }
  if (part.file_id) return { ...file, kind: 'upload', id: part.file_id }
  if (part.file_data) return { ...file, kind: 'data', dataUrl: part.file_data }
  const url = part.image_url ?? part.file_url
  if (!url) return undefined
  return url.startsWith('data:') ? { ...file, kind: 'data', dataUrl: url } : { ...file, kind: 'url', url }
}

/** Question of a client, with the conversation that it says came before. */
export interface Conversation {
  /** Empty where there are none. */
  instructions: string
  /** Oldest first. */
  history: { query: string; response: string }[]
  question: string
  /** The question, as a later request repeats it in its history. */
  asked: string
  /** Files of the question. */
  attachments: Attachment[]
  /** Files of earlier messages, the newest message first. */
  earlier: Attachment[]
}

const NOTHING_BUT_FILES = 'See what is attached.'
const joined = (texts: string[]): string => texts.filter((text) => text.trim() !== '').join('\n\n')

/**
 * Makes a question, with what came before it, of the messages of a request. Messages of one side that follow each other
 * count as one.
 * @throws ValidationError where the last one is not the person's
 */
export function toConversation(spoken: Spoken[]): Conversation {
  const last = spoken.findLast(({ role }) => role !== 'system')
  if (last?.role === 'assistant')
    throw invalidField(`${last.path}.role`, 'must be "user" in the last message: it is what the agent answers')
  const history: Conversation['history'] = []
  const earlier: Attachment[] = []
  let asked: Spoken[] = []
  for (const one of spoken) {
    if (one.role === 'user') asked.push(one)
    if (one.role !== 'assistant') continue
    const before = history.at(-1)
    if (asked.length === 0 && before) before.response = joined([before.response, one.text])
    else history.push({ query: joined(asked.map(withNames)), response: one.text })
    earlier.unshift(...asked.flatMap(({ attachments }) => attachments))
    asked = []
  }
  const attachments = asked.flatMap((one) => one.attachments)
  const question = joined(asked.map(({ text }) => text)) || (attachments.length > 0 ? NOTHING_BUT_FILES : '')
  if (question === '') throw new ValidationError('Nothing is asked: the last message of the user is empty')
  const tooLong = QuestionText.safeParse(question).error?.issues[0]
  if (tooLong) throw invalidField(asked.at(-1)!.path, tooLong.message)
  const instructions = joined(spoken.filter(({ role }) => role === 'system').map(({ text }) => text))
  return { instructions, history, question, asked: joined(asked.map(withNames)), attachments, earlier }
}

/** Text of an earlier message, which says that files came with it. */
const withNames = ({ text, attachments }: Spoken): string =>
  joined([
    text,
    ...attachments.map(
      ({ kind, fileName }) => `(${kind === 'upload' ? 'A file' : (fileName ?? 'A file')} was attached here.)`,
    ),
  ])
