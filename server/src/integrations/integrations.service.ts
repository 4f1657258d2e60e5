import type { Updateable } from 'kysely'
import type { FolderReader } from '../access/access.ts'
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import type { Db, Tx } from '../db.ts'
import {
  commitNamed,
  type FolderActor,
  type FolderService,
  findReadableIds,
  getFolder,
  isRestricted,
  requireWholeFolder,
} from '../drive/drive.ts'
import type { KernelParts } from '../kernel-parts.ts'
import { isoNow } from '../platform/clock.ts'
import { takeAdvisoryLock } from '../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../platform/database/statements/commit-checked.ts'
import { invalidFields } from '../platform/errors.ts'
import { isId } from '../platform/ids.ts'
import { changeConfig, connectionIn, parseConfig, requireKind, type SourceSample, trySource } from './check-config.ts'
import { IntegrationChangedError, IntegrationNotFoundError } from './integrations.errors.ts'
import type { CreateIntegration, TestIntegration, UpdateIntegration } from './integrations.schemas.ts'
import {
  deleteIntegration,
  findIntegration,
  type Integration,
  insertIntegration,
  listIntegrations,
  listLinkedFolders,
  updateIntegration,
} from './integrations.store.ts'
import type { IntegrationTable } from './integrations.tables.ts'
import { planSync } from './integrations.tasks.ts'
import type { SourceLogins } from './logins/source-logins.service.ts'
import type { SealedConfigs } from './sealed-config.ts'
import type { SourceConfig, SourceKind } from './source.ts'
import type { SyncProblem } from './sync/sync-problems.ts'

export interface IntegrationServiceOptions extends Pick<KernelParts, 'clock' | 'db' | 'newId' | 'queue' | 'writes'> {
  folders: Pick<FolderService, 'createIn' | 'removeIn'>
  kinds: SourceKind[]
  sealedConfigs: SealedConfigs
  sourceLogins: SourceLogins
}

/** Folders that are filled from a source and kept in sync with it. */
export class IntegrationService {
  readonly #options: IntegrationServiceOptions

  constructor(options: IntegrationServiceOptions) {
    this.#options = options
  }

  /** @throws IntegrationNotFoundError */
  get(reader: FolderReader, id: string) {
    return this.#get(this.#options.db, reader, id)
  }

  /** Integrations whose folder the reader may read. */
  async list(reader: FolderReader, { page, page_size }: { page: number; page_size: number }) {
    const { db } = this.#options
    const { organizationId } = reader
    const range = { limit: page_size, offset: (page - 1) * page_size }
    if (!(await isRestricted(db, reader))) return listIntegrations(db, organizationId, range)
    const ids = await listLinkedFolders(db, organizationId)
    const folderIds = [...(await findReadableIds(db, reader, ids))]
    return listIntegrations(db, organizationId, { ...range, folderIds })
  }

  /**
   * Makes a folder that is linked to a source, and begins to fill it.
   * @throws ValidationError, and what creating a folder throws.
   */
  async create(actor: FolderActor, wanted: CreateIntegration): Promise<Integration> {
    const { writes, newId, folders, clock } = this.#options
    const { organizationId } = actor
    const kind = requireKind(this.#options.kinds, wanted.kind)
    const parsed = parseConfig(kind, wanted.config)
    await this.#try(actor, kind, parsed)
    const name = wanted.knowledge_base_name
    const id = newId()
    const config = await this.#options.sealedConfigs.seal(kind, { id, organization_id: organizationId }, parsed)
    return commitNamed(writes, organizationId, name, async (tx) => {
      const fields = { knowledge_base_name: name, user_defined_tags: [], parent_kb_id: wanted.parent_kb_id }
      const folder = await folders.createIn(tx, actor, fields, { id: newId(), integrationId: id })
      const now = isoNow(clock)
      const integration: Integration = {
        id,
        organization_id: organizationId,
        kind: wanted.kind,
        folder_id: folder.id,
        config,
        status: 'syncing',
        error_message: null,
        generation: 1,
        last_synced_at: null,
        progress: null,
        problems: null,
        paused_at: null,
        created_at: now,
        updated_at: now,
      }
      await insertIntegration(tx, organizationId, integration)
      await this.#attach(tx, actor, integration, kind, parsed)
      await this.#enqueueSync(tx, integration)
      await this.#record(tx, actor, 'integration.created', integration, name)
      return integration
    })
  }

  /** Asks for a sync now, in the place of one that runs or is planned. @throws IntegrationNotFoundError */
  sync(actor: FolderReader, id: string): Promise<Integration> {
    return this.#change(actor, id, async (tx, integration) => this.#startSync(tx, integration))
  }

  /** Ends the sync that runs, if one does; what it brought stays. @throws IntegrationNotFoundError */
  cancel(actor: FolderReader, id: string): Promise<Integration> {
    return this.#change(actor, id, async (tx, integration) => {
      if (integration.status !== 'syncing') return integration
      const stopped = await this.#update(tx, integration, { status: 'idle', error_message: 'The sync was cancelled' })
      if (stopped.paused_at === null) await planSync(tx, this.#options.queue, stopped)
      return stopped
    })
  }

  /**
   * Changes settings, and pauses or resumes it. New settings, and the end of a pause, begin a sync.
   * @throws IntegrationNotFoundError, ValidationError
   */
  async change(actor: FolderActor, id: string, { config, is_paused }: UpdateIntegration): Promise<Integration> {
    const { db, clock } = this.#options
    const before = await this.#get(db, actor, id)
    const changes = config && (await this.#changedConfig(actor, before, config))
    const sealed = changes?.sealed
    return this.#change(actor, id, async (tx, integration) => {
      // Settings are checked outside of the transaction, against those that were there then.
      if (sealed && integration.config !== before.config) throw new IntegrationChangedError()
      const paused_at =
        is_paused === undefined ? integration.paused_at : is_paused ? (integration.paused_at ?? isoNow(clock)) : null
      const folder = await getFolder(tx, actor, integration.folder_id)
      await this.#record(tx, actor, 'integration.updated', integration, folder.name)
      if (changes) await this.#attach(tx, actor, integration, changes.kind, changes.parsed)
      const changed = { ...integration, config: sealed ?? integration.config, paused_at }
      const { config, status } = changed
      if (paused_at !== null)
        return this.#update(tx, changed, { config, paused_at, status: status === 'syncing' ? 'idle' : status })
      if (!sealed && integration.paused_at === null) return integration
      await this.#update(tx, changed, { config, paused_at })
      return this.#startSync(tx, { ...changed, generation: changed.generation + 1 })
    })
  }

  /** Looks whether a source could be read with these settings. @throws ValidationError, IntegrationNotFoundError */
  async test(actor: FolderActor, wanted: TestIntegration): Promise<SourceSample[]> {
    const { db, kinds, sealedConfigs } = this.#options
    const kind = requireKind(kinds, wanted.kind)
    if (!wanted.integration_id) return this.#try(actor, kind, parseConfig(kind, wanted.config))
    const integration = await this.#get(db, actor, wanted.integration_id)
    if (integration.kind !== kind.kind)
      throw invalidFields([{ path: 'kind', message: `must be ${integration.kind}, as the integration is` }])
    const before = await sealedConfigs.open(kind, integration)
    return this.#try(actor, kind, parseConfig(kind, changeConfig(kind, { ...before }, wanted.config)), {
      integration,
      connection: connectionIn(before),
    })
  }

  /** Items that the sync which runs, or else the last one, left out. @throws IntegrationNotFoundError */
  async listProblems(reader: FolderReader, id: string, { page, page_size }: { page: number; page_size: number }) {
    const { problems } = await this.#get(this.#options.db, reader, id)
    const all: SyncProblem[] = problems === null ? [] : JSON.parse(problems)
    return { problems: all.slice((page - 1) * page_size, page * page_size), total: all.length }
  }

  /** Ends it; its folder and all below are gone when this resolves. @throws IntegrationNotFoundError */
  remove(actor: FolderActor, id: string): Promise<void> {
    const { writes, folders } = this.#options
    return commitChecked(writes, async (tx) => {
      const { organizationId } = actor
      await takeAdvisoryLock(tx, 'folders', organizationId)
      const integration = await this.#get(tx, actor, id)
      const folder = await getFolder(tx, actor, integration.folder_id)
      await requireWholeFolder(tx, actor, folder)
      await folders.removeIn(tx, organizationId, integration.folder_id)
      await deleteIntegration(tx, organizationId, id)
      await this.#record(tx, actor, 'integration.deleted', integration, folder.name)
    })
  }

  /** Logins with which integrations read, by the integration's id. */
  async connectionsOf(integrations: Integration[]) {
    const [first] = integrations
    if (!first) return new Map<string, never>()
    const ids = integrations.map(({ id }) => id)
    return this.#options.sourceLogins.ofIntegrations(first.organization_id, ids)
  }

  secretsOf(kind: string): readonly string[] {
    return this.#options.kinds.find((known) => known.kind === kind)?.secrets ?? []
  }

  /** @throws IntegrationNotFoundError, also when its folder is gone, or not for the reader. */
  async #get(from: Db, reader: FolderReader, id: string): Promise<Integration> {
    const integration = isId(id) ? await findIntegration(from, reader.organizationId, id) : undefined
    const isReadable = integration && (await findReadableIds(from, reader, [integration.folder_id])).size > 0
    if (!isReadable) throw new IntegrationNotFoundError()
    return integration
  }

  /** Changes an integration whose folder the actor may write, as nobody else does at that time. */
  #change(
    actor: FolderReader,
    id: string,
    change: (tx: Tx, integration: Integration) => Promise<Integration>,
  ): Promise<Integration> {
    return commitChecked(this.#options.writes, async (tx) => {
      await takeAdvisoryLock(tx, 'folders', actor.organizationId)
      const integration = await this.#get(tx, actor, id)
      await getFolder(tx, actor, integration.folder_id)
      return change(tx, integration)
    })
  }

  /** The settings after a change, sealed; their source is there. */
  async #changedConfig(actor: FolderActor, integration: Integration, changes: Record<string, unknown>) {
    const { kinds, sealedConfigs } = this.#options
    const kind = requireKind(kinds, integration.kind)
    const before = await sealedConfigs.open(kind, integration)
    const parsed = parseConfig(kind, changeConfig(kind, { ...before }, changes))
    await this.#try(actor, kind, parsed, { integration, connection: connectionIn(before) })
    return { kind, parsed, sealed: await sealedConfigs.seal(kind, integration, parsed) }
  }

  /** Reads the beginning of a source. @param has integration with the login that it has, which it may continue using */
  async #try(
    actor: FolderActor,
    kind: SourceKind,
    config: SourceConfig,
    has?: { integration: Integration; connection: string | undefined },
  ): Promise<SourceSample[]> {
    const { db, sourceLogins } = this.#options
    const connection = connectionIn(config)
    const { organizationId, keyId } = actor
    const integrationId = has?.integration.id
    if (connection !== undefined && connection !== has?.connection)
      await sourceLogins.require(db, connection, { organizationId, keyId, provider: kind.provider, integrationId })
    return trySource(kind, config, { tokensOf: (id) => sourceLogins.tokensOf(organizationId, id) })
  }

  /** Lets an integration have the login that its settings name. */
  async #attach(tx: Tx, { keyId }: FolderActor, integration: Integration, kind: SourceKind, config: SourceConfig) {
    const { id, organization_id: organizationId } = integration
    const { sourceLogins } = this.#options
    const connection = connectionIn(config)
    const had = (await sourceLogins.ofIntegrations(organizationId, [id], tx)).get(id)
    if (connection === had?.id) return
    // Two integrations that are made at the same time may have asked for the same one.
    if (connection !== undefined)
      await sourceLogins.require(tx, connection, { organizationId, keyId, provider: kind.provider, integrationId: id })
    await sourceLogins.attach(tx, organizationId, id, connection)
  }

  /** Ends with its generation whatever sync was under way. */
  async #update(tx: Tx, integration: Integration, fields: Updateable<IntegrationTable>): Promise<Integration> {
    const { id, organization_id } = integration
    const changes = { ...fields, generation: integration.generation + 1, updated_at: isoNow(this.#options.clock) }
    await updateIntegration(tx, organization_id, id, changes)
    return { ...integration, ...changes }
  }

  async #startSync(tx: Tx, integration: Integration): Promise<Integration> {
    const started = await this.#update(tx, integration, { status: 'syncing', progress: null, problems: null })
    await this.#enqueueSync(tx, started)
    return started
  }

  #enqueueSync(tx: Tx, { organization_id, id, generation }: Integration) {
    return this.#options.queue.enqueue(tx, organization_id, 'integrations.sync', { integrationId: id, generation })
  }

  /**
   * Records a change by the name of its folder: an integration has none of its own. Its configuration may hold secrets.
   */
  #record(
    tx: Tx,
    actor: Actor,
    action: 'integration.created' | 'integration.updated' | 'integration.deleted',
    { id, kind, folder_id }: Integration,
    name: string,
  ): Promise<void> {
    return recordAudit(tx, actor, {
      action,
      at: isoNow(this.#options.clock),
      target: { type: 'integration', id, name },
      details: { kind, knowledge_base_id: folder_id },
      workspaceId: null,
    })
  }
}
