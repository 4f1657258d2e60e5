import type { Tx } from '../../db.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { type ErrorDetail, invalidField, invalidFields } from '../../platform/errors.ts'
import { createLruCache } from '../../platform/lru-cache.ts'
import { OutboundNotAllowedError } from '../../platform/outbound/outbound-guard.ts'
import type { SecretBox } from '../../platform/secret-box.ts'
import type { AgentRecord } from '../agent/agents.store.ts'
import { MASK } from '../mcp-client/mcp.schemas.ts'
import { toolNamesOf } from '../mcp-client/mcp-tool-names.ts'
import { ToolError } from '../tools/tool.ts'
import { fetchUrl } from '../web-pages/fetch-url.ts'
import { type ApiDocument, isReadOnly } from './api-document.ts'
import type { CheckOpenApiTools, OpenApiTools, OpenApiToolsInput, StoredOpenApiTools } from './openapi.schemas.ts'
import { findApiDocument, insertApiDocument, keepApiDocuments } from './openapi.store.ts'
import type { OpenApiCheck } from './openapi-check.schemas.ts'
import type { ReadApiDocument } from './read-document.ts'

export interface OpenApiServiceOptions extends Pick<KernelParts, 'db' | 'newId' | 'outbound'> {
  secrets: SecretBox
  readDocument: ReadApiDocument
}

/** Agent whose APIs are meant; without an id, one that is about to be made. */
export type ApiOwner = Pick<AgentRecord, 'organizationId' | 'openApiTools'> & { id?: string }

/** APIs as they are to be stored, with the documents that were read for them. */
export interface PreparedApis {
  stored: StoredOpenApiTools[]
  documents: { id: string; document: ApiDocument }[]
}

type Refuse = (field: string, message: string) => undefined

const READ_MS = 40_000
const KEPT_DOCUMENTS = 50

/** The HTTP APIs of agents: what is stored of them, and the documents that describe them. */
export class OpenApiService {
  readonly #options: OpenApiServiceOptions
  readonly #documents = createLruCache<ApiDocument>(KEPT_DOCUMENTS)

  constructor(options: OpenApiServiceOptions) {
    this.#options = options
  }

  /**
   * Reads what is new among APIs, and seals their secrets; a masked one stays as it was.
   * @throws ValidationError for a document or a URL that cannot be used, an operation that is not there, a mask
   *   without a value
   */
  async prepare(owner: ApiOwner, sources: readonly OpenApiToolsInput[]): Promise<PreparedApis> {
    const details: ErrorDetail[] = []
    const refuseAt = (index: number) => (field: string, message: string) => {
      details.push({ path: `openapi_tools.${index}.${field}`, message })
      return undefined
    }
    const read = await Promise.all(sources.map((source, index) => this.#prepareOne(owner, source, refuseAt(index))))
    if (details.length > 0) throw invalidFields(details)
    const found = read.filter((one) => one !== undefined)
    return {
      stored: found.map(({ stored }) => stored),
      documents: found.flatMap(({ stored, document, isNew }) => (isNew ? [{ id: stored.documentId, document }] : [])),
    }
  }

  /** Stores the documents, in the transaction that writes their agent, and removes those that it no longer uses. */
  async write(tx: Tx, agent: AgentRecord, { stored, documents }: PreparedApis, at: string): Promise<void> {
    const { id: agentId, organizationId } = agent
    for (const one of documents) await insertApiDocument(tx, organizationId, { ...one, agentId, at })
    const wanted = new Set(stored.map(({ documentId }) => documentId))
    const left = await keepApiDocuments(tx, organizationId, agentId, [...wanted])
    if (left.length < wanted.size)
      throw invalidField('openapi_tools', 'were changed by somebody else meanwhile: load the agent again')
  }

  /** The document that was read for an API. */
  async findDocument(
    { organizationId, id: agentId }: Pick<AgentRecord, 'organizationId' | 'id'>,
    { documentId }: StoredOpenApiTools,
  ): Promise<ApiDocument | undefined> {
    const key = `${organizationId} ${agentId} ${documentId}`
    const known = this.#documents.get(key)
    if (known) return known
    const found = await findApiDocument(this.#options.db, organizationId, { agentId, id: documentId })
    if (found) this.#documents.set(key, found)
    return found
  }

  /** Secret of an API. @throws Error where the key that it was sealed with is gone */
  openSecret(organizationId: string, sealed: string): string {
    return this.#options.secrets.open(sealed, organizationId)
  }

  /** Reads a document and lists its operations; a failure is returned as a readable message. @throws ValidationError */
  async check(agent: ApiOwner & { id: string }, { name, source }: CheckOpenApiTools): Promise<OpenApiCheck> {
    const known = agent.openApiTools.find((one) => one.name === name)
    if (name !== undefined && !known) throw invalidField('name', 'is none of the APIs of this agent')
    try {
      const { document, url } = known
        ? { document: await this.#getDocument(agent, known.documentId), url: known.url }
        : await this.#read(agent, source!)
      const baseUrl = known?.baseUrl ?? source?.base_url ?? baseUrlOf(document, url)
      return { ...toCheck(known?.name ?? source!.name, document, known ?? source!), base_url: baseUrl ?? null }
    } catch (error) {
      if (!(error instanceof ToolError)) throw error
      const nothing = { title: null, version: null, base_url: null, operations: [] }
      return { is_readable: false, error_message: error.message, ...nothing }
    }
  }

  async #prepareOne(owner: ApiOwner, source: OpenApiToolsInput, refuse: Refuse) {
    try {
      const { document, documentId, url } = await this.#read(owner, source)
      const baseUrl = source.base_url ?? baseUrlOf(document, url)
      if (!baseUrl) return refuse('base_url', 'is required: the document names no server')
      this.#options.outbound.parse(baseUrl)
      const usable = new Map(document.operations.map((one) => [one.id, one]))
      source.operations.forEach((id, index) => {
        const operation = usable.get(id)
        if (!operation) refuse(`operations.${index}`, 'is none of the operations of the document')
        else if (operation.problem) refuse(`operations.${index}`, `cannot be called: ${operation.problem}`)
      })
      const auth = this.#sealed(owner, source, baseUrl, refuse)
      const { title, version } = document
      const operations = [...new Set(source.operations)]
      const { name } = source
      const id = documentId ?? this.#options.newId()
      const stored = { name, url, documentId: id, title, version, baseUrl, auth, operations }
      return { stored, document, isNew: documentId === undefined }
    } catch (error) {
      if (error instanceof OutboundNotAllowedError) return refuse('base_url', error.message)
      if (!(error instanceof ToolError)) throw error
      return refuse(source.url ? 'url' : source.document ? 'document' : 'document_id', error.message)
    }
  }

  /** @returns `documentId` of a document that is stored @throws ToolError */
  async #read(owner: ApiOwner, { url, document, document_id: documentId }: OpenApiToolsInput) {
    const known = documentId ? owner.openApiTools.find((one) => one.documentId === documentId) : undefined
    if (documentId && !document) {
      if (!known || (url && url !== known.url)) throw new ToolError('It is not the document of this API')
      return { document: await this.#getDocument(owner, documentId), documentId, url: known.url }
    }
    const { outbound, readDocument } = this.#options
    const signal = AbortSignal.timeout(READ_MS)
    const fetched = url ? await fetchUrl(url, { outbound, isAllowed: () => true, signal }) : undefined
    if (fetched?.isCut) throw new ToolError('The document is larger than 10 MB')
    const text = fetched ? new TextDecoder().decode(fetched.bytes) : document!
    const read = await readDocument(text, owner.organizationId, signal)
    if ('problem' in read) throw new ToolError(read.problem)
    return { document: read.document, documentId: undefined, url: url ?? null }
  }

  async #getDocument({ organizationId, id }: ApiOwner, documentId: string): Promise<ApiDocument> {
    const found = id && (await findApiDocument(this.#options.db, organizationId, { agentId: id, id: documentId }))
    if (!found) throw new ToolError('The document was replaced meanwhile: load the agent again')
    return found
  }

  #sealed(
    { organizationId, openApiTools }: ApiOwner,
    { name, auth }: OpenApiToolsInput,
    baseUrl: string,
    refuse: Refuse,
  ): StoredOpenApiTools['auth'] {
    if (!auth) return null
    const plain = { type: auth.type, name: auth.name ?? null, username: auth.username ?? null }
    if (auth.secret !== MASK) return { ...plain, secret: this.#options.secrets.seal(auth.secret, organizationId) }
    const known = openApiTools.find((one) => one.name === name)
    if (!known?.auth) refuse('auth.secret', `has no stored value that ${MASK} could stand for: give it`)
    // Otherwise a person who may change the address could have the secret sent to a server of theirs.
    else if (URL.parse(known.baseUrl)?.origin !== URL.parse(baseUrl)?.origin)
      refuse('auth.secret', 'must be given again, because base_url leads to another server')
    else return { ...plain, secret: known.auth.secret }
    return null
  }
}

function baseUrlOf({ server }: ApiDocument, url: string | null): string | undefined {
  const found = url ? URL.parse(server ?? '/', url) : URL.parse(server ?? '')
  return found && /^https?:$/.test(found.protocol) ? found.href : undefined
}

function toCheck(name: string, document: ApiDocument, { operations }: { operations: string[] }): OpenApiCheck {
  const names = toolNamesOf(
    name,
    document.operations.map(({ id }) => ({ name: id })),
  )
  return {
    is_readable: true,
    error_message: null,
    title: document.title,
    version: document.version,
    base_url: null,
    operations: document.operations.map((operation) => ({
      id: operation.id,
      tool_name: names.get(operation.id)!,
      method: operation.method,
      path: operation.path,
      summary: operation.summary,
      description: operation.description,
      input_schema: operation.schema,
      is_read_only: isReadOnly(operation),
      is_deprecated: operation.isDeprecated,
      is_on: operations.includes(operation.id),
      problem: operation.problem,
    })),
  }
}

/** The API as it is shown, without its secret. */
export const toWireOpenApiTools = (source: StoredOpenApiTools): OpenApiTools => ({
  name: source.name,
  url: source.url,
  document_id: source.documentId,
  title: source.title,
  version: source.version,
  base_url: source.baseUrl,
  auth: source.auth && { ...source.auth, secret: MASK },
  operations: source.operations,
})
