import type { Readers } from '../../access/access.ts'
import { createAskOnce } from '../api/ask-once.ts'
import { type FoundAccess, namedByBoth } from '../api/found-access.ts'
import { SourceItemError } from '../source.ts'
import type { Confluence } from './confluence-api.ts'
import type { Restricted } from './confluence-people.ts'
import { createNamedReaders } from './named-readers.ts'

/** Class of people that a role in a space lets everybody read it with. */
const ANYBODY = 'anonymous-users'

interface Places {
  /** Page or folder that something lies below, null at the top of a space. @throws SourceItemError where it is not known */
  parentOf(contentId: string): string | null
  spaceOf(pageId: string): { id: string; key: string }
}

/** Principals that may see a space. */
interface Named {
  users: Set<string>
  groups: Set<string>
  /** Classes of people, whose members Confluence does not tell. */
  classes: Set<string>
}

/**
 * Finds who may read pages: those who may see the space, and whom a page, the pages and the folders above it are
 * restricted to. Each list is asked for once in a sync, those of pages for a whole space at a time.
 */
export function createPageAccess(confluence: Confluence, { parentOf, spaceOf }: Places) {
  const once = createAskOnce<Readers | null>()
  const restrictedOnce = createAskOnce<Map<string, Restricted>>()
  /** Remarks that the next file is told with. */
  const remarks: string[] = []
  const readersOf = createNamedReaders(confluence, (text) => remarks.push(text))

  const readersOfSpace = (id: string, signal: AbortSignal) =>
    once(`space ${id}`, async () => {
      const named: Named = { users: new Set(), groups: new Set(), classes: new Set() }
      const { users, groups, classes } = named
      let hasRoles = false
      for await (const { principal, operation } of confluence.spacePermissions(id, signal)) {
        if (!principal || operation?.key !== 'read' || operation.targetType !== 'space') continue
        if (!addPrincipal(named, principal.type, principal.id)) hasRoles = true
      }
      if (hasRoles || users.size + groups.size === 0) await addRoles(named, id, signal)
      if (classes.delete(ANYBODY)) return null
      for (const name of classes)
        remarks.push(`Confluence does not tell who "${name}" are, so they count by this name of a group`)
      const readers = await readersOf(
        await confluence.users([...users], signal),
        [...groups].map((groupId) => ({ id: groupId })),
        signal,
      )
      return { ...readers, groups: [...readers.groups, ...classes] }
    })

  /** Adds whom roles in a space let read it; where they cannot be asked for, nobody. */
  async function addRoles(named: Named, spaceId: string, signal: AbortSignal): Promise<void> {
    try {
      const reading = new Set<string>()
      for await (const { id, spacePermissions } of confluence.spaceRoles(spaceId, signal))
        if (spacePermissions.includes('read/space')) reading.add(id)
      for await (const { principal, roleId } of confluence.roleAssignments(spaceId, signal))
        if (principal && reading.has(roleId ?? '')) addPrincipal(named, principal.principalType, principal.principalId)
    } catch (error) {
      if (!(error instanceof SourceItemError)) throw error
      remarks.push(`whom roles in the space let read it is not known (${error.message})`)
    }
  }

  async function restrictedTo(id: string, space: { key: string }, signal: AbortSignal): Promise<Restricted> {
    const ofSpace = await restrictedOnce(space.key, async () => {
      try {
        return await confluence.restrictedIn(space.key, signal)
      } catch (error) {
        // A site that refuses the search is asked for each page.
        if (error instanceof SourceItemError) return new Map()
        throw error
      }
    })
    return ofSpace.get(id) ?? confluence.restrictedTo(id, signal)
  }

  const readersOfContent = (
    id: string,
    space: { id: string; key: string },
    signal: AbortSignal,
  ): Promise<Readers | null> =>
    once(`content ${id}`, async () => {
      const parentId = parentOf(id)
      const [above, { users, groups }] = await Promise.all([
        parentId === null ? readersOfSpace(space.id, signal) : readersOfContent(parentId, space, signal),
        restrictedTo(id, space, signal),
      ])
      if (users.length === 0 && groups.length === 0) return above
      return namedByBoth(above, await readersOf(users, groups, signal))
    })

  return {
    readersOfSpace,
    async find(pageId: string, signal: AbortSignal): Promise<FoundAccess> {
      const access = await readersOfContent(pageId, spaceOf(pageId), signal)
      return { access, problem: remarks.splice(0).join('; ') || undefined }
    },
  }
}

/** @returns false for a principal of another kind */
function addPrincipal({ users, groups, classes }: Named, type: string, id: string): boolean {
  const kind = { user: users, group: groups, access_class: classes }[type.toLowerCase()]
  kind?.add(id)
  return kind !== undefined
}
