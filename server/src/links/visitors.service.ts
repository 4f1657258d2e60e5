import { type Caller, ForbiddenError, isBound, mayCall, TRUST_MS, UnauthorizedError } from '../access/access.ts'
import type { AgentRecord, AgentService } from '../agents/agents.ts'
import type { KernelParts } from '../kernel-parts.ts'
import { createLruCache } from '../platform/lru-cache.ts'
import { LinkNotFoundError } from './links.errors.ts'
import { findLinkById, findLinkByToken, type LinkLook, type LinkRecord } from './links.store.ts'
import { findLogo } from './logos.store.ts'
import { type Insider, VISITOR_PREFIX, type Visitor, type VisitorTokens } from './visitor-tokens.ts'

const ASK = 'chats.queries.create'
const TTL_MS = 86_400_000
/** Time within which visitors who come back keep their chats. */
const RENEWED_FOR_MS = 30 * 86_400_000
const LARGEST_CACHE = 10_000

export interface VisitorServiceOptions extends Pick<KernelParts, 'clock' | 'db' | 'newId'> {
  agents: AgentService
  tokens: VisitorTokens
  /** The key or session of somebody of the organization, looked up now. @throws UnauthorizedError when it has ended */
  findInsider(organizationId: string, insider: Insider): Promise<Caller>
}

/** People who chat with an agent through a link. */
export class VisitorService {
  /** Beginning of each visitor's token. */
  readonly prefix = VISITOR_PREFIX
  readonly #options: VisitorServiceOptions
  readonly #trusted = createLruCache<{ caller: Caller; until: number }>(LARGEST_CACHE)

  constructor(options: VisitorServiceOptions) {
    this.#options = options
  }

  /** The caller that a visitor's token stands for. @throws UnauthorizedError, LinkNotFoundError */
  authenticate(token: string): Caller | Promise<Caller> {
    const known = this.#trusted.get(token)
    return known && known.until > this.#options.clock().getTime() ? known.caller : this.#lookUp(token)
  }

  /** The link and its agent. @throws LinkNotFoundError */
  async describe(token: string): Promise<{ link: LinkRecord; agent: AgentRecord }> {
    const link = await findLinkByToken(this.#options.db, token)
    if (!link) throw new LinkNotFoundError()
    return { link, agent: await this.#requireAgent(link) }
  }

  /** Logo of a link. @throws LinkNotFoundError also for a link without one */
  async logo(token: string) {
    const { link } = await this.describe(token)
    const found = await findLogo(this.#options.db, link.organizationId, link.id)
    if (!found || link.look.logo === null) throw new LinkNotFoundError()
    return { ...found, sha256: link.look.logo }
  }

  /** Look of the button on a website; null for a link that leads nowhere. */
  async findWidget(token: string): Promise<Pick<LinkLook, 'color' | 'position' | 'language'> | null> {
    try {
      const { color, position, language } = (await this.describe(token)).link.look
      return { color, position, language }
    } catch (error) {
      if (error instanceof LinkNotFoundError) return null
      throw error
    }
  }

  /** Origins whose pages may show the page of a link in a frame; none for a link that leads nowhere. */
  async listFrames(token: string): Promise<string[]> {
    try {
      return (await this.describe(token)).link.allowedOrigins
    } catch (error) {
      if (error instanceof LinkNotFoundError) return []
      throw error
    }
  }

  /**
   * Lets a visitor in.
   * @param before their token from an earlier visit
   * @param insider who they are, if they sent a key or are signed in
   * @throws LinkNotFoundError, and ForbiddenError for a link that is for the organization only, where the insider is
   *   none of it, or may not ask this agent
   */
  async open(token: string, before: string | null, insider: Caller | undefined) {
    const { clock, newId, tokens } = this.#options
    const { link, agent } = await this.describe(token)
    const isForInsiders = link.audience === 'organization'
    if (isForInsiders) {
      if (insider?.organizationId !== link.organizationId)
        throw new ForbiddenError('This link is for people of its organization: sign in first')
      requireMayAsk(insider, agent.id)
    }
    const now = clock().getTime()
    const id = this.#known(before, link, now) ?? newId()
    const expiresAt = now + TTL_MS
    const visitor = { id, linkId: link.id, expiresAt, ...(isForInsiders && { insider: referenceTo(insider!) }) }
    return { link, agent, visitorId: id, expiresAt, visitorToken: tokens.sign(visitor) }
  }

  /** @throws LinkNotFoundError if the agent is gone, or its visibility does not allow the audience (any more) */
  async #requireAgent(link: LinkRecord): Promise<AgentRecord> {
    const agent = await this.#options.agents.findLive(link.organizationId, link.agentId)
    if (!agent || !allowsAudience(agent, link)) throw new LinkNotFoundError()
    return agent
  }

  async #lookUp(token: string): Promise<Caller> {
    const { tokens, clock, db } = this.#options
    const visitor = tokens.read(token)
    const now = clock().getTime()
    if (visitor.expiresAt <= now) throw new UnauthorizedError('This visitor token has expired: open the link again')
    const link = await findLinkById(db, visitor.linkId)
    if (!link) throw new UnauthorizedError('The link of this visitor token does not work any more')
    const agent = await this.#requireAgent(link)
    const insider = await this.#findInsiderBehind(link, agent, visitor)
    const caller: Caller = {
      organizationId: link.organizationId,
      workspaceId: link.workspaceId,
      keyId: link.id,
      role: 'member',
      rightsHolderId: (insider ?? link).rightsHolderId,
      permissions: new Set(),
      scopes: { operations: insider?.scopes?.operations, agent_ids: [agent.id] },
      ...(insider?.needsSecondFactor && { needsSecondFactor: true as const }),
      visitor: {
        id: visitor.id,
        queriesPerMinute: link.queriesPerMinute,
        queriesPerVisitor: link.queriesPerVisitor,
      },
    }
    this.#trusted.set(token, { caller, until: Math.min(now + TRUST_MS, visitor.expiresAt) })
    return caller
  }

  /**
   * Identity of somebody who came through a link for the organization: as long as their key or session works, and only
   * for what it may do.
   * @throws UnauthorizedError, ForbiddenError
   */
  async #findInsiderBehind(link: LinkRecord, agent: AgentRecord, visitor: Visitor): Promise<Caller | undefined> {
    if (link.audience !== 'organization') return undefined
    if (!visitor.insider) throw new UnauthorizedError('This link is for people of its organization now: open it again')
    const insider = await this.#options.findInsider(link.organizationId, visitor.insider)
    requireMayAsk(insider, agent.id)
    return insider
  }

  #known(before: string | null, link: LinkRecord, now: number): string | undefined {
    if (before === null) return undefined
    try {
      const visitor = this.#options.tokens.read(before)
      return visitor.linkId === link.id && visitor.expiresAt + RENEWED_FOR_MS > now ? visitor.id : undefined
    } catch {
      // Visits of another server, or of a link that is gone, start over.
      return undefined
    }
  }
}

const referenceTo = ({ keyId, sessionId }: Caller): Insider =>
  sessionId === undefined ? { kind: 'key', id: keyId } : { kind: 'session', id: sessionId }

/** A link opens nothing to a narrowed key that it is narrowed away from. @throws ForbiddenError */
function requireMayAsk(caller: Caller, agentId: string): void {
  const { scopes } = caller
  if ((scopes && isBound(scopes) && !scopes.agent_ids?.includes(agentId)) || !mayCall(caller, ASK))
    throw new ForbiddenError('The API key that you are signed in with is not allowed to ask the agent of this link')
}

export const allowsAudience = ({ visibility }: AgentRecord, { audience }: Pick<LinkRecord, 'audience'>): boolean =>
  visibility === 'public' || (audience === 'organization' && visibility === 'organization')
