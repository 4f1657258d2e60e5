import type { Slack, User } from './slack-api.ts'

/** Names of people by their ids. */
export type People = ReadonlyMap<string, string>

export interface SlackUsers {
  /** Everybody in the workspace by their ids, guests and those who left, too. */
  all(signal: AbortSignal): Promise<ReadonlyMap<string, User>>
  names(signal: AbortSignal): Promise<People>
}

/** Asks for people once they are needed, and once only. */
export function createUsers(slack: Slack): SlackUsers {
  let listed: Promise<ReadonlyMap<string, User>> | undefined
  async function list(signal: AbortSignal): Promise<ReadonlyMap<string, User>> {
    const users = new Map<string, User>()
    for await (const user of slack.users(signal)) users.set(user.id, user)
    return users
  }
  async function all(signal: AbortSignal): Promise<ReadonlyMap<string, User>> {
    listed ??= list(signal)
    try {
      return await listed
    } catch (error) {
      listed = undefined
      throw error
    }
  }
  return {
    all,
    async names(signal) {
      return new Map([...(await all(signal))].map(([id, user]) => [id, nameOf(user)]))
    },
  }
}

const nameOf = ({ id, name, real_name, profile }: User): string =>
  profile?.display_name || real_name || profile?.real_name || name || id
