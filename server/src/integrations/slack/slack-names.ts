import type { Slack } from './slack-api.ts'

/** Names of people by their ids. */
export type People = ReadonlyMap<string, string>

export interface SlackNames {
  get(signal: AbortSignal): Promise<People>
}

/** Asks for people's names once they are needed, and once only. */
export function createNames(slack: Slack): SlackNames {
  let people: Promise<People> | undefined
  async function list(signal: AbortSignal): Promise<People> {
    const names = new Map<string, string>()
    for await (const { id, name, real_name, profile } of slack.users(signal))
      names.set(id, profile?.display_name || real_name || profile?.real_name || name || id)
    return names
  }
  return {
    async get(signal) {
      people ??= list(signal)
      try {
        return await people
      } catch (error) {
        people = undefined
        throw error
      }
    },
  }
}
