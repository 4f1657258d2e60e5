import type { Docent } from '@docent/sdk'
import type { Command } from 'commander'
import { connect, type Env, readEnv } from './connection.ts'

/** Connection of one run of the command line, and how it speaks. */
export interface Session {
  client: Docent
  url: string
  /** Whether standard output is for a program: one JSON value, and nothing else. */
  isJson: boolean
  env: Env
  /** Id of the workspace of the key. */
  workspaceId(): Promise<string>
  /** Prints a result: as JSON, or the lines for people. */
  print(value: unknown, lines: () => string | string[]): void
  /** Tells people what happens, on standard error; not with `--json`. */
  tell(text: string): void
}

/** Opens the connection that the options of a command ask for. @throws CommandError */
export async function openSession(command: Command): Promise<Session> {
  const { url, key, json = false } = command.optsWithGlobals<{ url?: string; key?: string; json?: boolean }>()
  const env = readEnv()
  const connection = await connect({ url, key }, env)
  return {
    client: connection.client,
    url: connection.url,
    isJson: json,
    env,
    workspaceId: async () => connection.me.workspace.id,
    ...speech(json),
  }
}

/** Ways to speak to people and programs. */
export const speech = (isJson: boolean): Pick<Session, 'print' | 'tell'> => ({
  print(value, lines) {
    const text = isJson ? JSON.stringify(value, null, 2) : [lines()].flat().join('\n')
    if (text) console.log(text)
  },
  tell(text) {
    if (!isJson) console.error(text)
  },
})

/** npm goes to the checkout; files are named from where the user was. */
export const startedIn = (): string =>
  (/^(ask|docent)$/.test(process.env.npm_lifecycle_event ?? '') && process.env.INIT_CWD) || process.cwd()
