import { z } from 'zod'
import type { Db, Tx } from '../db.ts'
import { type Clock, isoNow } from '../platform/clock.ts'
import type { NewId } from '../platform/ids.ts'
import {
  findUserByEmail,
  findUserInOrganization,
  holdUser,
  holdUserByEmail,
  holdUserInOrganization,
  insertUser,
  updateUser,
} from './users.store.ts'

/** `virtual_user_email` of queries and uploads: trimmed, a valid e-mail of at most 254 characters. */
export const AttributionEmail = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(254, { message: 'must have at most 254 characters', abort: true })
  .regex(z.regexes.email, 'must be a valid e-mail')
  .meta({ description: 'E-mail of the person on whose behalf the request is sent', examples: ['ada@example.com'] })

/** The form of an e-mail in which two are compared. */
export const emailKeyOf = (email: string): string => email.toLowerCase()

/**
 * The id of the person with this e-mail: the profile of the workspace, restored if it was removed, or the one that it was
 * merged into; else one that the organization has in another workspace; else a new one.
 */
export type EnsureVirtualUser = (tx: Tx, organizationId: string, workspaceId: string, email: string) => Promise<string>

export const createEnsureVirtualUser =
  ({ newId, clock }: { newId: NewId; clock: Clock }): EnsureVirtualUser =>
  async (tx, organizationId, workspaceId, email) => {
    const emailKey = emailKeyOf(email)
    const own = await holdUserByEmail(tx, organizationId, workspaceId, emailKey)
    if (own?.mergedInto && (await holdUser(tx, organizationId, own.mergedInto))) return own.mergedInto
    if (own) {
      if (own.deletedAt !== null) await updateUser(tx, organizationId, own.id, { deletedAt: null })
      return own.id
    }
    const known = await holdUserInOrganization(tx, organizationId, emailKey)
    if (known) return known.id
    const id = newId()
    const user = newUser({ id, workspaceId, email, createdAt: isoNow(clock) })
    if (await insertUser(tx, organizationId, user)) return id
    // Another process was faster, between the look and the insert.
    return (await holdUserByEmail(tx, organizationId, workspaceId, emailKey))!.id
  }

/** The id of the person that `ensureVirtualUser` would find, without making or restoring one. */
export async function findVirtualUser(
  db: Db,
  organizationId: string,
  workspaceId: string,
  email: string,
): Promise<string | undefined> {
  const emailKey = emailKeyOf(email)
  const own = await findUserByEmail(db, organizationId, workspaceId, emailKey)
  return own ? (own.mergedInto ?? own.id) : (await findUserInOrganization(db, organizationId, emailKey))?.id
}

export const newUser = ({
  id,
  workspaceId,
  email,
  createdAt,
}: {
  id: string
  workspaceId: string
  email: string
  createdAt: string
}) => ({
  id,
  workspaceId,
  email,
  emailKey: emailKeyOf(email),
  name: null,
  nameKey: null,
  origin: null,
  originKey: null,
  metadata: '{}',
  createdAt,
  updatedAt: null,
  deletedAt: null,
  mergedInto: null,
})
