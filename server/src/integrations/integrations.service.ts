import type { FolderReader } from '../access/access.ts'
import { type Actor, recordAudit } from '../audit/record-audit.ts'
import type { Db, Tx, Writes } from '../db.ts'
import {
  commitNamed,
  type FolderActor,
  type FolderService,
  getFolder,
  isRestricted,
  readableFolderTree,
  requireWholeFolder,
} from '../drive/drive.ts'
import { type Clock, isoNow } from '../platform/clock.ts'
import { takeAdvisoryLock } from '../platform/database/statements/advisory-locks.ts'
import { commitChecked } from '../platform/database/statements/commit-checked.ts'
import { invalidFields } from '../platform/errors.ts'
import { isId, type NewId } from '../platform/ids.ts'
import type { Queue } from '../queue/queue.ts'
import { IntegrationNotFoundError } from './integrations.errors.ts'
import type { CreateIntegration } from './integrations.schemas.ts'
import {
  deleteIntegration,
  findIntegration,
  type Integration,
  insertIntegration,
  listIntegrations,
  listLinkedFolders,
  updateIntegration,
} from './integrations.store.ts'
import { type SourceConfig, type SourceKind, SourceUnavailableError } from './source.ts'

export interface IntegrationServiceOptions {
  db: Db
  writes: Writes
  queue: Queue
  folders: Pick<FolderService, 'createIn' | 'removeIn'>
  kinds: SourceKind[]
  newId: NewId
  clock: Clock
}

/** Folders that are filled from a source and kept in step with it. */
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
    const trees = await readableFolderTree(db, reader, ids, { recursive: false })
    const folderIds = trees.flatMap((tree) => tree.folderIds)
    return listIntegrations(db, organizationId, { ...range, folderIds })
  }

  /**
   * Makes a folder that is linked to a source, and begins to fill it.
   * @throws ValidationError, and what creating a folder throws.
   */
  async create(actor: FolderActor, wanted: CreateIntegration): Promise<Integration> {
    const { writes, newId, folders, clock } = this.#options
    const { organizationId } = actor
    const config = await this.#checkConfig(wanted)
    const name = wanted.knowledge_base_name
    return commitNamed(writes, organizationId, name, async (tx) => {
      const id = newId()
      const fields = { knowledge_base_name: name, user_defined_tags: [], parent_kb_id: wanted.parent_kb_id }
      const folder = await folders.createIn(tx, actor, fields, { id: newId(), integrationId: id })
      const now = isoNow(clock)
      const integration: Integration = {
        id,
        organization_id: organizationId,
        kind: wanted.kind,
        folder_id: folder.id,
        config: JSON.stringify(config),
        status: 'syncing',
        error_message: null,
        generation: 1,
        last_synced_at: null,
        created_at: now,
        updated_at: now,
      }
      await insertIntegration(tx, organizationId, integration)
      await this.#enqueueSync(tx, integration)
      await this.#record(tx, actor, 'integration.created', integration, name)
      return integration
    })
  }

  /** Asks for a sync now, in the place of one that runs or is planned. @throws IntegrationNotFoundError */
  sync(actor: FolderReader, id: string): Promise<Integration> {
    const { writes, clock } = this.#options
    const { organizationId } = actor
    return commitChecked(writes, async (tx) => {
      await takeAdvisoryLock(tx, 'folders', organizationId)
      const integration = await this.#get(tx, actor, id)
      await getFolder(tx, actor, integration.folder_id)
      const changes = {
        status: 'syncing' as const,
        generation: integration.generation + 1,
        updated_at: isoNow(clock),
      }
      await updateIntegration(tx, organizationId, id, changes)
      await this.#enqueueSync(tx, { ...integration, ...changes })
      return { ...integration, ...changes }
    })
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

  secretsOf(kind: string): readonly string[] {
    return this.#options.kinds.find((known) => known.kind === kind)?.secrets ?? []
  }

  /** @throws IntegrationNotFoundError, also when its folder is gone, or not for the reader. */
  async #get(from: Db, reader: FolderReader, id: string): Promise<Integration> {
    const integration = isId(id) ? await findIntegration(from, reader.organizationId, id) : undefined
    const trees = integration
      ? await readableFolderTree(from, reader, [integration.folder_id], { recursive: false })
      : []
    if (!integration || trees.length === 0) throw new IntegrationNotFoundError()
    return integration
  }

  /** The configuration as it is stored. @throws ValidationError for the kind, a field, or a source that is not there. */
  async #checkConfig(wanted: CreateIntegration): Promise<SourceConfig> {
    const { kinds } = this.#options
    const kind = kinds.find(({ kind }) => kind === wanted.kind)
    if (!kind)
      throw invalidFields([{ path: 'kind', message: `must be one of: ${kinds.map(({ kind }) => kind).join(', ')}` }])
    const config = kind.config.safeParse(wanted.config)
    if (!config.success)
      throw invalidFields(
        config.error.issues.map(({ path, message }) => ({ path: ['config', ...path].join('.'), message })),
      )
    try {
      await kind.open(config.data)
    } catch (error) {
      if (error instanceof SourceUnavailableError)
        throw invalidFields([{ path: `config.${error.field}`, message: error.message }])
      throw error
    }
    return config.data
  }

  #enqueueSync(tx: Tx, { organization_id, id, generation }: Integration) {
    return this.#options.queue.enqueue(tx, organization_id, 'integrations.sync', { integrationId: id, generation })
  }

  /** By the name of its folder: an integration has none of its own. Its configuration may hold secrets. */
  #record(
    tx: Tx,
    actor: Actor,
    action: 'integration.created' | 'integration.deleted',
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
