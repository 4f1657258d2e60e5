import type { Readers } from '../../access/access.ts'
import { createAskOnce } from '../api/ask-once.ts'
import { nobody } from '../api/found-access.ts'
import { SourceItemError } from '../source.ts'
import type { Confluence } from './confluence-api.ts'
import type { Group, User } from './confluence-people.ts'

/** Turns people and groups of Confluence into readers: groups into the addresses of their members. */
export function createNamedReaders(confluence: Confluence, remark: (text: string) => void) {
  const once = createAskOnce<Pick<Readers, 'emails' | 'groups'>>()

  function addressesOf(users: readonly User[], say: (count: number) => string): string[] {
    const people = users.filter(({ accountType }) => accountType !== 'app')
    const addresses = people.flatMap(({ email }) => email || [])
    if (addresses.length < people.length) remark(say(people.length - addresses.length))
    return addresses
  }

  async function listMembers(id: string, given: string | undefined, signal: AbortSignal) {
    try {
      const members = await confluence.members(id, signal)
      const of = `of the ${members.length} members of the group "${given ?? id}"`
      return { emails: addressesOf(members, (count) => `${count} ${of} show no address`), groups: [] }
    } catch (error) {
      if (!(error instanceof SourceItemError)) throw error
      const name = given ?? (await nameOf(id, signal))
      const rest = name === undefined ? '' : ', so it counts by its name'
      remark(`the members of the group "${name ?? id}" cannot be listed (${error.message})${rest}`)
      return { emails: [], groups: name === undefined ? [] : [name] }
    }
  }

  async function nameOf(groupId: string, signal: AbortSignal): Promise<string | undefined> {
    try {
      return (await confluence.group(groupId, signal)).name ?? undefined
    } catch (error) {
      if (error instanceof SourceItemError) return undefined
      throw error
    }
  }

  return async (users: readonly User[], groups: readonly Group[], signal: AbortSignal): Promise<Readers> => {
    const readers = nobody()
    for (const user of users) {
      const name = user.displayName || user.publicName || user.accountId
      readers.emails.push(...addressesOf([user], () => `${name} shows no address`))
    }
    for (const { id, name } of groups) {
      if (!id) continue
      const members = await once(id, () => listMembers(id, name ?? undefined, signal))
      for (const email of members.emails) readers.emails.push(email)
      readers.groups.push(...members.groups)
    }
    return readers
  }
}
