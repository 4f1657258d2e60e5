import type { Db } from '../../db.ts'
import type { EmbeddingModel } from '../../platform/models/model.ts'
import { spaceOf } from '../space.ts'
import { findSearchIndex } from './search-indexes.store.ts'

/** Space that serves an organization, for those who only look at it. @param embedding the environment's */
export async function findServingSpace(
  db: Db,
  organizationId: string,
  embedding: Pick<EmbeddingModel, 'id'> | undefined,
): Promise<string> {
  return (await findSearchIndex(db, organizationId))?.space ?? spaceOf(organizationId, embedding)
}

/** Whether an organization's index is made, or being built, with a model of this provider of a workspace. */
export async function isProviderOfIndex(
  db: Db,
  organizationId: string,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<boolean> {
  const record = await findSearchIndex(db, organizationId)
  if (!record) return false
  const models = [
    record.workspaceId === workspaceId ? record.model : null,
    record.buildWorkspaceId === workspaceId ? record.buildModel : null,
  ]
  return models.some((model) => model?.startsWith(`${name}/`))
}
