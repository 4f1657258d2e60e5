import type { Db } from '../../db.ts'
import { createNotifiedCache } from '../../platform/cluster/pubsub/notified-cache.ts'
import type { PubSub } from '../../platform/cluster/pubsub/pubsub.ts'
import { lazy } from '../../platform/concurrency/lazy.ts'
import type { ModelProvider } from '../../platform/models/model-provider.ts'
import { NO_DEFAULTS, type OwnModels } from '../../platform/models/model-set.ts'
import type { OfWorkspace } from '../../platform/models/models.ts'
import { ownProvider } from '../../platform/models/providers.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { createSecretBox } from '../../platform/secret-box.ts'
import {
  findModelDefaults,
  findSpeechWorkspace,
  listModelProviders,
  type ModelProviderRecord,
} from './model-providers.store.ts'

const MOST_CACHED = 1000

export type OwnModelsOf = ReturnType<typeof createOwnModels>

/** Providers and choices of workspaces, for runs, each of which would otherwise read them again. */
export function createOwnModels({
  db,
  pubsub,
  outbound,
  getSecret,
}: {
  db: Db
  pubsub: PubSub
  outbound: Outbound
  getSecret(use: 'secrets'): Promise<string>
}) {
  const box = lazy(async () => createSecretBox(await getSecret('secrets'), 'model providers'))
  const cache = createNotifiedCache<OwnModels>({ pubsub, channel: 'models.changed', most: MOST_CACHED })

  /** The key of a provider, opened. */
  const openKey = async (record: ModelProviderRecord): Promise<string | undefined> =>
    record.apiKey === null ? undefined : (await box.get()).open(record.apiKey, sealedFor(record))

  async function openProvider(record: ModelProviderRecord): Promise<ModelProvider> {
    const { name, kind, baseUrl, version } = record
    return ownProvider({ name, kind, baseUrl, version, apiKey: await openKey(record), guard: outbound })
  }

  async function read({ organizationId, workspaceId }: OfWorkspace): Promise<OwnModels> {
    const records = await listModelProviders(db, organizationId, workspaceId)
    const defaults = await findModelDefaults(db, organizationId, workspaceId)
    return { providers: await Promise.all(records.map(openProvider)), defaults: defaults ?? NO_DEFAULTS }
  }

  return {
    box,
    openKey,
    of: (workspace: OfWorkspace): Promise<OwnModels> => cache.get(workspace.workspaceId, () => read(workspace)),

    /** First workspace of an organization that chose a model for speech. */
    findSpeechWorkspace: (organizationId: string) => findSpeechWorkspace(db, organizationId),

    /** Makes a change, and has it seen from its commit on, also if nobody answered that. */
    async changing<R>(workspaceId: string, change: () => Promise<R>): Promise<R> {
      try {
        return await change()
      } finally {
        await cache.announceChange(workspaceId)
      }
    },
  }
}

/** Context that a key is sealed for. */
export const sealedFor = ({
  organizationId,
  workspaceId,
  name,
}: Pick<ModelProviderRecord, 'organizationId' | 'workspaceId' | 'name'>): string =>
  `${organizationId} ${workspaceId} ${name}`
