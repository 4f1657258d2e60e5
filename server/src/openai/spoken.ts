import { invalidField, ValidationError } from '../platform/errors.ts'

/** A file or picture that came with a message: stored before, inside the request, or somewhere on the web. */
export type Attachment =
  | { kind: 'upload'; id: string }
  | { kind: 'data'; dataUrl: string; fileName?: string }
  | { kind: 'url'; url: string; fileName?: string }

/** One message of a conversation that a client keeps, whichever of the two APIs it came by. */
export interface Spoken {
  role: 'system' | 'user' | 'assistant'
  text: string
  attachments: Attachment[]
  /** Field of the request, for errors: `messages.2`. */
  path: string
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
  /** Files of the question. Those of earlier messages are named in the history, and not sent again. */
  attachments: Attachment[]
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
  let asked: Spoken[] = []
  for (const one of spoken) {
    if (one.role === 'user') asked.push(one)
    if (one.role !== 'assistant') continue
    const before = history.at(-1)
    if (asked.length === 0 && before) before.response = joined([before.response, one.text])
    else history.push({ query: joined(asked.map(withNames)), response: one.text })
    asked = []
  }
  const attachments = asked.flatMap((one) => one.attachments)
  const question = joined(asked.map(({ text }) => text)) || (attachments.length > 0 ? NOTHING_BUT_FILES : '')
  if (question === '') throw new ValidationError('Nothing is asked: the last message of the user is empty')
  const instructions = joined(spoken.filter(({ role }) => role === 'system').map(({ text }) => text))
  return { instructions, history, question, asked: joined(asked.map(withNames)), attachments }
}

/** Text of an earlier message, which says that files came with it. */
const withNames = ({ text, attachments }: Spoken): string =>
  joined([
    text,
    ...attachments.map(
      (file) => `(${file.kind === 'upload' ? 'A file' : (file.fileName ?? 'A file')} was attached here.)`,
    ),
  ])
