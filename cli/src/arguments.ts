import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

export interface Arguments {
  question: string
  /** Absolute paths of files and folders to answer from. */
  paths: string[]
  agentId?: string
  url?: string
  key?: string
  isJson: boolean
}

export const USAGE = `npm run ask -- "QUESTION" [FILES and FOLDERS...]

Answers a question, from your files if you name some: they are uploaded and indexed, once, and the answer names its sources.

  --agent ID   ask this agent; files are added to what it answers from
  --url URL    where the server is (else DOCENT_URL, else where npm start serves: HOST and PORT)
  --key KEY    API key (else DOCENT_API_KEY, else the owner's in DATA_DIR)
  --json       print one JSON object: answer, citations, ids, files that failed
  --help       this text

Settings may stand in the environment or in .env, as for npm start. Ends with 0 if there is an answer, 1 if not, 2 if the
command makes no sense, 3 if no server is there.`

/** The command makes no sense; the message says why. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** @throws UsageError. Undefined if help was asked for. */
export function readArguments(argv: string[], folder: string): Arguments | undefined {
  const { values, positionals } = parse(argv)
  if (values.help) return undefined
  const [question, ...files] = positionals
  if (!question?.trim()) throw new UsageError('What is the question? Put it in quotes, before the files')
  return {
    question,
    paths: files.map((file) => resolve(folder, file)),
    agentId: values.agent,
    url: values.url,
    key: values.key,
    isJson: values.json ?? false,
  }
}

function parse(argv: string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  try {
    const options = { agent: text, url: text, key: text, json: flag, help: flag }
    return parseArgs({ args: argv, allowPositionals: true, options })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
