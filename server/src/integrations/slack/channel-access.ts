import { createAskOnce } from '../api/ask-once.ts'
import { type FoundAccess, orNobody } from '../api/found-access.ts'
import { SourceItemError } from '../source.ts'
import type { Channel, Slack, User } from './slack-api.ts'
import type { SlackUsers } from './slack-users.ts'

const NO_ADDRESSES = 'the token lacks the scope users:read.email'

/** Whether the token is told addresses of people, as far as the beginning of their list shows. */
export async function tellsAddresses(slack: Slack, signal: AbortSignal): Promise<boolean> {
  let count = 0
  for await (const user of slack.users(signal)) {
    if (user.profile?.email) return true
    if (++count === 200) break
  }
  return false
}

/**
 * Finds who may read channels: public ones are open to everybody in the workspace but guests, who may read those that
 * they are members of, as everybody with private ones. Asked for once in a sync.
 */
export function createChannelAccess(slack: Slack, users: SlackUsers) {
  const once = createAskOnce<FoundAccess>()
  let everyone: FoundAccess | undefined

  async function membersOf(channel: Channel, all: ReadonlyMap<string, User>, signal: AbortSignal): Promise<User[]> {
    const members: User[] = []
    for await (const id of slack.members(channel.id, signal)) {
      // People of other workspaces, with whom a channel is shared, are in no list of this one.
      const user = all.get(id) ?? (await slack.user(id, signal))
      if (user) members.push(user)
    }
    return members
  }

  async function find(channel: Channel, signal: AbortSignal): Promise<FoundAccess> {
    const all = await users.all()
    const everybody = [...all.values()]
    if (!everybody.some(({ profile }) => profile?.email)) throw new SourceItemError(NO_ADDRESSES)
    const isPublic = channel.is_private === false
    const ownPeople = everybody.filter((user) => !isGuest(user))
    everyone ??= { access: readersOf(ownPeople) }
    if (isPublic && ownPeople.length === everybody.length && !channel.is_ext_shared) return everyone
    const members = await membersOf(channel, all, signal)
    return { access: readersOf(isPublic ? [...ownPeople, ...members] : members) }
  }

  return (channel: Channel, signal: AbortSignal): Promise<FoundAccess> =>
    once(channel.id, () => orNobody(find(channel, signal)))
}

const isGuest = ({ is_restricted, is_ultra_restricted }: User): boolean => Boolean(is_restricted || is_ultra_restricted)

const readersOf = (users: readonly User[]) => ({
  emails: [...new Set(users.flatMap(({ deleted, profile }) => (!deleted && profile?.email) || []))],
  groups: [],
  domains: [],
})
