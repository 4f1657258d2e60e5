import { createAccountLinks, removeTwoFactorByOperator } from '../accounts/accounts.ts'
import { acrossOrganizations } from '../platform/database/statements/across-organizations.ts'
import { urlOf } from '../platform/http/url-of.ts'
import type { AdminContext } from './context.ts'

/** A link to become an owner of a workspace or, for an account that there is, to set another password. */
export async function signInLink(
  context: AdminContext,
  { workspaceId, email }: { workspaceId?: string; email?: string },
): Promise<{ url: string; expires_at: string }> {
  const { http } = context.config
  const publicUrl = () => http.publicUrl ?? urlOf(http.host, http.port)
  const { invitations, passwordLinks } = createAccountLinks({ ...context, publicUrl })
  if (email !== undefined) {
    const made = await passwordLinks.createByOperator(email.trim().toLowerCase())
    if (!made) throw new Error(`There is no account with the e-mail ${email}`)
    return made
  }
  const { organization_id, id } = await findWorkspace(context, workspaceId)
  const { url, invitation } = await invitations.createOwnerLink(organization_id, id)
  return { url, expires_at: invitation.expiresAt }
}

/** Turns the second factor of an account off, whose person has lost the app and the recovery codes. */
export async function removeSecondFactor(context: AdminContext, email: string | undefined): Promise<{ email: string }> {
  const known = email?.trim().toLowerCase()
  if (!known || !(await removeTwoFactorByOperator(context, known)))
    throw new Error(known ? `There is no account with the e-mail ${known}` : 'Say whose second factor: its EMAIL')
  return { email: known }
}

async function findWorkspace({ db }: AdminContext, workspaceId: string | undefined) {
  const all = acrossOrganizations(db).selectFrom('workspace').select(['id', 'organization_id', 'name'])
  const found = workspaceId ? await all.where('id', '=', workspaceId).execute() : await all.limit(100).execute()
  if (found.length > 1)
    throw new Error(
      `There are several workspaces: say which, as WORKSPACE_ID: ${found.map(({ id, name }) => `${id} (${name})`).join(', ')}`,
    )
  if (!found[0])
    throw new Error(
      workspaceId ? `There is no workspace ${workspaceId}` : 'There is no workspace yet: start the server',
    )
  return found[0]
}
