import { agents } from './agents/agents.ts'
import { chats } from './agents/chats.ts'
import { evaluation } from './agents/evaluation.ts'
import { modelDefaults, modelProviders, models, searchIndex } from './agents/models.ts'
import { projects } from './agents/projects.ts'
import { reviews } from './agents/reviews.ts'
import { shared } from './agents/shared.ts'
import { transcription } from './agents/transcription.ts'
import { webSearch } from './agents/web-search.ts'
import { files } from './drive/files.ts'
import { integrations } from './drive/integrations.ts'
import { dataSources, knowledgeBases } from './drive/knowledge-bases.ts'
import { shares } from './drive/shares.ts'
import type { StreamCheck, StreamCheckOptions } from './http/stream-check.ts'
import { type CallOptions, createTransport, type DocentOptions, type Transport } from './http/transport.ts'
import type { Query } from './operations.ts'
import { account, links } from './people/account.ts'
import { apiKeys } from './people/api-keys.ts'
import { auditLog } from './people/audit-log.ts'
import { groups, invitations, members, scimTokens, signInProviders } from './people/members.ts'
import { session } from './people/session.ts'
import { browserOrigins, userTokens } from './people/user-tokens.ts'
import { virtualUsers } from './people/virtual-users.ts'
import { quotas, usage } from './usage.ts'
import { webhooks } from './webhooks.ts'

/**
 * A client of the service. Every call throws a DocentError when it fails; requests that can be repeated without harm
 * (reading, and queries) are, when the server or the line to it is away for a moment.
 */
export class Docent {
  readonly knowledgeBases: ReturnType<typeof knowledgeBases>
  readonly dataSources: ReturnType<typeof dataSources>
  readonly shares: ReturnType<typeof shares>
  readonly integrations: ReturnType<typeof integrations>
  readonly files: ReturnType<typeof files>
  readonly agents: ReturnType<typeof agents>
  readonly models: ReturnType<typeof models>
  readonly modelProviders: ReturnType<typeof modelProviders>
  readonly modelDefaults: ReturnType<typeof modelDefaults>
  readonly searchIndex: ReturnType<typeof searchIndex>
  readonly webSearch: ReturnType<typeof webSearch>
  readonly transcription: ReturnType<typeof transcription>
  readonly chats: ReturnType<typeof chats>
  readonly evaluation: ReturnType<typeof evaluation>
  readonly projects: ReturnType<typeof projects>
  readonly reviews: ReturnType<typeof reviews>
  readonly shared: ReturnType<typeof shared>
  readonly virtualUsers: ReturnType<typeof virtualUsers>
  readonly userTokens: ReturnType<typeof userTokens>
  readonly browserOrigins: ReturnType<typeof browserOrigins>
  readonly webhooks: ReturnType<typeof webhooks>
  readonly apiKeys: ReturnType<typeof apiKeys>
  readonly members: ReturnType<typeof members>
  readonly groups: ReturnType<typeof groups>
  readonly invitations: ReturnType<typeof invitations>
  readonly scimTokens: ReturnType<typeof scimTokens>
  readonly signInProviders: ReturnType<typeof signInProviders>
  readonly session: ReturnType<typeof session>
  readonly account: ReturnType<typeof account>
  readonly links: ReturnType<typeof links>
  readonly usage: ReturnType<typeof usage>
  readonly quotas: ReturnType<typeof quotas>
  readonly auditLog: ReturnType<typeof auditLog>
  readonly #transport: Transport

  constructor(options: DocentOptions) {
    this.#transport = createTransport(options)
    this.knowledgeBases = knowledgeBases(this.#transport)
    this.dataSources = dataSources(this.#transport)
    this.shares = shares(this.#transport)
    this.integrations = integrations(this.#transport)
    this.files = files(this.#transport)
    this.agents = agents(this.#transport)
    this.models = models(this.#transport)
    this.modelProviders = modelProviders(this.#transport)
    this.modelDefaults = modelDefaults(this.#transport)
    this.searchIndex = searchIndex(this.#transport)
    this.webSearch = webSearch(this.#transport)
    this.transcription = transcription(this.#transport)
    this.chats = chats(this.#transport)
    this.evaluation = evaluation(this.#transport)
    this.projects = projects(this.#transport)
    this.reviews = reviews(this.#transport)
    this.shared = shared(this.#transport)
    this.virtualUsers = virtualUsers(this.#transport)
    this.userTokens = userTokens(this.#transport)
    this.browserOrigins = browserOrigins(this.#transport)
    this.webhooks = webhooks(this.#transport)
    this.apiKeys = apiKeys(this.#transport)
    this.members = members(this.#transport)
    this.groups = groups(this.#transport)
    this.invitations = invitations(this.#transport)
    this.scimTokens = scimTokens(this.#transport)
    this.signInProviders = signInProviders(this.#transport)
    this.session = session(this.#transport)
    this.account = account(this.#transport)
    this.links = links(this.#transport)
    this.usage = usage(this.#transport)
    this.quotas = quotas(this.#transport)
    this.auditLog = auditLog(this.#transport)
  }

  /** The organization, the workspace and the rights that the key stands for. */
  me(options?: CallOptions) {
    return this.#transport.data('GET /me', [], options)
  }

  /** Reads a stream that says when each of its events was sent. @throws DocentError when no stream begins */
  async streamCheck(query: Query<'streamCheck.run'> = {}, options: StreamCheckOptions = {}): Promise<StreamCheck> {
    // Loaded by those who look for a fault on the way.
    const { runStreamCheck } = await import('./http/stream-check.ts')
    return runStreamCheck(this.#transport, query, options)
  }

  /** Examines what is kept: what is damaged, lost or left over, and what to do about it; for owners. Takes minutes. */
  doctor(options?: CallOptions) {
    return this.#transport.data('GET /doctor', [], options)
  }
}
