import type { Db, Tx } from '../db.ts'
import type { Picture } from '../platform/pictures.ts'

/** Puts a logo in the place of the one that the link had; null leaves it without. */
export async function putLogo(
  tx: Tx,
  organizationId: string,
  linkId: string,
  logo: Picture | null,
  at: string,
): Promise<void> {
  await tx
    .deleteFrom('agent_link_logo')
    .where('organization_id', '=', organizationId)
    .where('link_id', '=', linkId)
    .execute()
  if (!logo) return
  const values = { media_type: logo.mediaType, content: logo.content.toString('base64'), updated_at: at }
  await tx
    .insertInto('agent_link_logo')
    .values({ link_id: linkId, organization_id: organizationId, ...values })
    .execute()
}

export async function findLogo(
  db: Db,
  organizationId: string,
  linkId: string,
): Promise<Pick<Picture, 'mediaType' | 'content'> | undefined> {
  const row = await db
    .selectFrom('agent_link_logo')
    .select(['media_type', 'content'])
    .where('organization_id', '=', organizationId)
    .where('link_id', '=', linkId)
    .executeTakeFirst()
  return row && { mediaType: row.media_type, content: Buffer.from(row.content, 'base64') }
}
