import type { Tx } from '../db.ts'
import type { FolderService, LinkedDrive } from '../drive/drive.ts'
import type { KernelParts } from '../kernel-parts.ts'
import { isoNow } from '../platform/clock.ts'
import { takeAdvisoryLock } from '../platform/database/statements/advisory-locks.ts'
import type { Queue } from '../queue/queue.ts'
import type { GivenUpHandlers } from '../queue/troubles/given-up.ts'
import type { TaskContext, TaskHandlers } from '../queue/worker.ts'
import type { EmitEvent } from '../webhooks/webhooks.ts'
import { findIntegration, type Integration, updateIntegration } from './integrations.store.ts'
import type { SourceLogins } from './logins/source-logins.service.ts'
import type { SealedConfigs } from './sealed-config.ts'
import { type SourceConfig, SourceItemError, type SourceKind, SourceUnavailableError } from './source.ts'
import { createSourceItems } from './source-items.ts'
import { syncTree } from './sync/sync-folders.ts'
import { createSyncProblems } from './sync/sync-problems.ts'
import { createSyncProgress } from './sync/sync-progress.ts'
import { reportSync } from './sync/sync-report.ts'
import { createSyncStep, SupersededError } from './sync/sync-step.ts'

export interface IntegrationTaskOptions extends Pick<KernelParts, 'clock' | 'db' | 'queue' | 'writes'> {
  emitEvent: EmitEvent
  drive: LinkedDrive
  folders: Pick<FolderService, 'removeIn'>
  kinds: SourceKind[]
  sealedConfigs: SealedConfigs
  sourceLogins: Pick<SourceLogins, 'tokensOf'>
}

type Outcome = { status: 'idle' | 'failed'; error_message: string | null; last_synced_at?: string }
type IntegrationTasks = Pick<TaskHandlers, 'integrations.sync'>

const SERVER_PROBLEM = 'The sync failed because of a problem on the server; it is tried again later'

/** Keeps linked folders in sync: each sync plans the next one. */
export function integrationTasks(options: IntegrationTaskOptions): {
  handlers: IntegrationTasks
  /** Plans another sync, with a note, after one crashed the server repeatedly. */
  givenUp: Pick<GivenUpHandlers, 'integrations.sync'>
} {
  const { db, writes, queue, emitEvent, drive, folders, kinds, sealedConfigs, sourceLogins, clock } = options

  async function sync(integration: Integration, context: TaskContext): Promise<Outcome> {
    const { organizationId } = context
    const kind = kinds.find((known) => known.kind === integration.kind)
    if (!kind) return failed(`This server knows no integration of the kind ${integration.kind}`)
    const problems = createSyncProblems()
    const progress = createSyncProgress()
    const step = createSyncStep(writes, (tx) => isCurrent(tx, integration, context))
    await step((tx) => updateIntegration(tx, organizationId, integration.id, { status: 'syncing' }))
    const report = reportSync({ integration, progress, problems, step, signal: context.signal })
    const { signal } = report
    const items = createSourceItems(db, integration, step)
    try {
      const tokensOf = (connection: string) => sourceLogins.tokensOf(organizationId, connection)
      const config = await sealedConfigs.open(kind, integration)
      const source = await kind.open(config, { signal, items, id: integration.id, tokensOf })
      try {
        const { sourceType } = kind
        const shared = { db, drive, folders, source, sourceType, organizationId, step, problems, progress, signal }
        await syncTree({ ...shared, integrationId: integration.id }, integration.folder_id)
        if (problems.countLeft() === 0) await source.ended?.()
      } finally {
        await source.close?.()
      }
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof SourceUnavailableError || error instanceof SourceItemError)
        return failed(`The source cannot be read: ${error.message}`)
      throw error
    } finally {
      await report.end()
    }
    return { status: 'idle', error_message: problems.summary(), last_synced_at: isoNow(clock) }
  }

  /** Notes how it went and plans the next sync, if nobody did meanwhile. */
  async function finish(integration: Integration, context: TaskContext, outcome: Outcome): Promise<void> {
    const { organizationId } = context
    await writes.commit(async (tx) => {
      if (!(await isCurrent(tx, integration, context))) return
      const generation = integration.generation + 1
      await updateIntegration(tx, organizationId, integration.id, {
        ...outcome,
        generation,
        updated_at: isoNow(clock),
      })
      // The state before this sync: an integration that continues failing says so once.
      if (outcome.status === 'failed' && integration.status !== 'failed')
        await emitEvent(tx, organizationId, failureOf(integration, outcome))
      if (integration.paused_at === null) await planSync(tx, queue, { ...integration, generation })
    })
  }

  return {
    handlers: {
      async 'integrations.sync'({ integrationId, generation }, context) {
        const integration = await findIntegration(db, context.organizationId, integrationId)
        if (integration?.generation !== generation) return
        try {
          await finish(integration, context, await sync(integration, context))
        } catch (error) {
          if (error instanceof SupersededError) return context.signal.throwIfAborted()
          if (context.isLastAttempt && !context.signal.aborted)
            await finish(integration, context, failed(SERVER_PROBLEM))
          throw error
        }
      },
    },
    givenUp: {
      async 'integrations.sync'({ integrationId, generation }, context) {
        const integration = await findIntegration(db, context.organizationId, integrationId)
        if (integration?.generation === generation) await finish(integration, context, failed(SERVER_PROBLEM))
      },
    },
  }
}

/** Plans the next sync of an integration, after its interval. */
export function planSync(tx: Tx, queue: Queue, integration: Integration): Promise<unknown> {
  const { id, organization_id, generation, config } = integration
  const { interval_seconds } = JSON.parse(config) as SourceConfig
  const payload = { integrationId: id, generation }
  return queue.enqueue(tx, organization_id, 'integrations.sync', payload, { delayMs: interval_seconds * 1000 })
}

/**
 * Whether no later sync was asked for. Until the end of the transaction nobody else changes the organization's folders
 * or what fills them.
 */
async function isCurrent(tx: Tx, { id, generation }: Integration, context: TaskContext): Promise<boolean> {
  await takeAdvisoryLock(tx, 'folders', context.organizationId)
  if (!(await context.isHeld(tx))) return false
  return (await findIntegration(tx, context.organizationId, id))?.generation === generation
}

/** Event for the endpoints that want to know. */
const failureOf = ({ id, folder_id, kind }: Integration, { error_message }: Outcome) => ({
  type: 'integration.failed' as const,
  workspaceId: null,
  data: { integration_id: id, knowledge_base_id: folder_id, kind, error_message },
})

const failed = (error_message: string): Outcome => ({ status: 'failed', error_message })
