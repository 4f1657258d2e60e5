import type { Readers } from '../../access/access.ts'
import { createAskOnce } from '../api/ask-once.ts'
import { type FoundAccess, namedByBoth } from '../api/found-access.ts'
import type { Confluence } from './confluence-api.ts'
import { createNamedReaders } from './named-readers.ts'

interface Places {
  /** Page or folder that something lies below, null at the top of a space. @throws SourceItemError where it is not known */
  parentOf(contentId: string): string | null
  spaceOf(pageId: string): string
}

/**
 * Finds who may read pages: those who may see the space, and whom a page, the pages and the folders above it are
 * restricted to. Each list is asked for once in a sync.
 */
export function createPageAccess(confluence: Confluence, { parentOf, spaceOf }: Places) {
  const once = createAskOnce<Readers | null>()
  /** Remarks that the next file is told with. */
  const remarks: string[] = []
  const readersOf = createNamedReaders(confluence, (text) => remarks.push(text))

  const readersOfSpace = (id: string, signal: AbortSignal) =>
    once(`space ${id}`, async () => {
      const users = new Set<string>()
      const groups = new Set<string>()
      let hasRoles = false
      for await (const { principal, operation } of confluence.spacePermissions(id, signal)) {
        if (!principal || operation?.key !== 'read' || operation.targetType !== 'space') continue
        const type = principal.type.toLowerCase()
        if (type === 'user') users.add(principal.id)
        else if (type === 'group') groups.add(principal.id)
        else hasRoles = true
      }
      if (hasRoles) remarks.push('whom roles in the space let read it is not known')
      const named = [...groups].map((groupId) => ({ id: groupId }))
      return readersOf(await confluence.users([...users], signal), named, signal)
    })

  const readersOfContent = (id: string, spaceId: string, signal: AbortSignal): Promise<Readers | null> =>
    once(`content ${id}`, async () => {
      const parentId = parentOf(id)
      const [above, { users, groups }] = await Promise.all([
        parentId === null ? readersOfSpace(spaceId, signal) : readersOfContent(parentId, spaceId, signal),
        confluence.restrictedTo(id, signal),
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
