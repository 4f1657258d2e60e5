import { type Caller, ForbiddenError } from '../access/access.ts'
import type { Db } from '../db.ts'
import { invalidField } from '../platform/errors.ts'
import { findVirtualUser } from './attribution.ts'
import { holderOfProfile } from './users.store.ts'

/**
 * The virtual user for whom a request is sent, by a caller that speaks for some only.
 * @param email that the request names; it may be left out where the caller speaks for one person
 * @throws ForbiddenError for somebody else, ValidationError where nobody is named
 */
export async function findSpokenFor(
  db: Db,
  {
    organizationId,
    workspaceId,
    virtualUserIds = [],
    isEndUser,
  }: Pick<Caller, 'organizationId' | 'workspaceId' | 'virtualUserIds' | 'isEndUser'>,
  email: string | null | undefined,
): Promise<string> {
  if (email != null) {
    const id = await findVirtualUser(db, organizationId, workspaceId, email)
    if (id !== undefined && virtualUserIds.includes(id)) return id
    const who = isEndUser ? 'This user token speaks for one person' : 'This API key speaks for certain virtual users'
    throw new ForbiddenError(`${who}: virtual_user_email names somebody else`)
  }
  const [only, ...others] = virtualUserIds
  if (only !== undefined && others.length === 0) return only
  throw invalidField('virtual_user_email', 'is required: this API key speaks for several virtual users, or for none')
}

/**
 * E-mail under which a message in the chat of a virtual user is sent.
 * @param ownerId virtual user whose chat it is
 * @param email that the message names, if it names one
 * @throws ValidationError for that of somebody else: all in the chat is theirs to read
 */
export async function findEmailInChat(
  db: Db,
  { organizationId, workspaceId }: Caller,
  ownerId: string,
  email: string | null,
): Promise<string> {
  const owner = await holderOfProfile(db, organizationId, ownerId)
  if (email === null && owner) return owner.email
  if (owner && email !== null && (await findVirtualUser(db, organizationId, workspaceId, email)) === owner.id)
    return email
  throw invalidField('virtual_user_email', 'must be that of the virtual user whose chat this is; it may be left out')
}
