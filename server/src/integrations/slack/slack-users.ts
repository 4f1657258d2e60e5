import { lazy } from '../../platform/concurrency/lazy.ts'
import type { Slack, User } from './slack-api.ts'

/** Names of people by their ids. */
export type People = ReadonlyMap<string, string>

export interface SlackUsers {
  /** Everyone in the workspace by id, including guests and former members. */
  all(): Promise<ReadonlyMap<string, User>>
  names(): Promise<People>
}

/** Asks for people once they are needed, and once only. @param signal of the sync that needs them */
export function createUsers(slack: Slack, signal: AbortSignal): SlackUsers {
  const users = lazy(async () => {
    const found = new Map<string, User>()
    for await (const user of slack.users(signal)) found.set(user.id, user)
    return found
  })
  const names = lazy(async () => new Map([...(await users.get())].map(([id, user]) => [id, nameOf(user)])))
  return { all: users.get, names: names.get }
}

const nameOf = ({ id, name, real_name, profile }: User): string =>
  profile?.display_name || real_name || profile?.real_name || name || id
