import type { FolderReader } from '../../access/access.ts'
import { type Actor, recordAudit } from '../../audit/record-audit.ts'
import type { Db, Tx, Writes } from '../../db.ts'
import { type Clock, isoNow } from '../../platform/clock.ts'
import { takeAdvisoryLock } from '../../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../../platform/database/statements/commit-checked.ts'
import { invalidField } from '../../platform/errors.ts'
import { isId } from '../../platform/ids.ts'
import { NotSharedError, OrganizationNotFoundError } from '../drive.errors.ts'
import { getFolder } from '../folders/folders.access.ts'
import type { FolderActor } from '../folders/folders.service.ts'
import type { Folder } from '../folders/folders.store.ts'
import { deleteShare, findShare, insertShare, isOrganization, listShares, type Share } from './shares.store.ts'

export type ShareService = ReturnType<typeof createShareService>

/** Lets other organizations read a folder and all below it. Each call wants a folder of the organization's own. */
export function createShareService({ db, writes, clock }: { db: Db; writes: Writes; clock: Clock }) {
  return {
    /**
     * Shares a folder; again does nothing.
     * @throws FolderNotFoundError, ForbiddenError, OrganizationNotFoundError, ValidationError for the own organization.
     */
    create: (actor: FolderActor, folderId: string, recipientId: string): Promise<Share> =>
      commitChecked(writes, async (tx) => {
        const { organizationId } = actor
        await takeAdvisoryLock(tx, 'folders', organizationId)
        const folder = await getFolder(tx, actor, folderId, 'manage')
        if (!isId(recipientId) || !(await isOrganization(tx, recipientId))) throw new OrganizationNotFoundError()
        if (recipientId === organizationId) {
          const message = 'a knowledge base cannot be shared with the organization that owns it'
          throw invalidField('organization_id', message)
        }
        const share = { folderId: folder.id, recipientId }
        const known = await findShare(tx, organizationId, share)
        if (known) return known
        const at = isoNow(clock)
        await insertShare(tx, organizationId, { ...share, at })
        await record(tx, actor, 'knowledge_base.shared', { folder, recipientId, at })
        return (await findShare(tx, organizationId, share))!
      }),

    /** @throws FolderNotFoundError, ForbiddenError */
    async list(reader: FolderReader, folderId: string, { page, page_size }: { page: number; page_size: number }) {
      const folder = await getFolder(db, reader, folderId, 'read')
      return listShares(db, folder.organizationId, folder.id, { limit: page_size, offset: (page - 1) * page_size })
    },

    /** Counts from the moment that it resolves. @throws FolderNotFoundError, ForbiddenError, NotSharedError */
    remove: (actor: FolderActor, folderId: string, recipientId: string): Promise<void> =>
      commitChecked(writes, async (tx) => {
        const { organizationId } = actor
        const folder = await getFolder(tx, actor, folderId, 'manage')
        if (!(await deleteShare(tx, organizationId, { folderId: folder.id, recipientId }))) throw new NotSharedError()
        await record(tx, actor, 'knowledge_base.unshared', { folder, recipientId, at: isoNow(clock) })
      }),
  }
}

const record = (
  tx: Tx,
  actor: Actor,
  action: 'knowledge_base.shared' | 'knowledge_base.unshared',
  { folder, recipientId, at }: { folder: Folder; recipientId: string; at: string },
): Promise<void> =>
  recordAudit(tx, actor, {
    action,
    at,
    target: { type: 'knowledge_base', id: folder.id, name: folder.name },
    details: { organization_id: recipientId },
    workspaceId: null,
  })
