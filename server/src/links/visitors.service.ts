import { ForbiddenError, UnauthorizedError } from '../access/access.errors.ts'
import { TRUST_MS } from '../access/access.service.ts'
import type { Caller } from '../access/caller.ts'
import type { AgentService } from '../agents/agents.service.ts'
import type { AgentRecord } from '../agents/agents.store.ts'
import type { Db } from '../db.ts'
import type { Clock } from '../platform/clock.ts'
import type { NewId } from '../platform/ids.ts'
import { LinkNotFoundError } from './links.errors.ts'
import { findLinkById, findLinkByToken, type LinkRow } from './links.store.ts'
import type { VisitorTokens } from './visitor-tokens.ts'

/** All that a visitor may call: their own chats with the one agent. */
const OPERATIONS = [
  'chats.create',
  'chats.get',
  'chats.list',
  'chats.queries.create',
  'messages.get',
  'messages.list',
  'messages.events',
  'messages.cancel',
  'messages.review',
  'messages.giveFeedback',
  'uploadedFiles.create',
]
const TTL_MS = 86_400_000
/** Who comes back within this time keeps their chats. */
const RENEWED_FOR_MS = 30 * 86_400_000
const LARGEST_CACHE = 10_000

export type VisitorService = ReturnType<typeof createVisitorService>

export interface VisitorServiceOptions {
  db: Db
  newId: NewId
  clock: Clock
  agents: AgentService
  tokens: VisitorTokens
}

/** People who chat with an agent through a link. */
export function createVisitorService({ db, newId, clock, agents, tokens }: VisitorServiceOptions) {
  const trusted = new Map<string, { caller: Caller; until: number }>()

  /** @throws LinkNotFoundError if the agent is gone, or its visibility does not allow the audience (any more) */
  async function agentOf(link: LinkRow): Promise<AgentRecord> {
    const agent = await agents.findLive(link.organization_id, link.agent_id)
    if (!agent || !allowsAudience(agent, link)) throw new LinkNotFoundError()
    return agent
  }

  /** What a link leads to. @throws LinkNotFoundError */
  async function describe(token: string): Promise<{ link: LinkRow; agent: AgentRecord }> {
    const link = await findLinkByToken(db, token)
    if (!link) throw new LinkNotFoundError()
    return { link, agent: await agentOf(link) }
  }

  async function lookUp(token: string): Promise<Caller> {
    const visitor = tokens.read(token)
    const now = clock().getTime()
    if (visitor.expiresAt <= now) throw new UnauthorizedError('This visitor token has expired: open the link again')
    const link = await findLinkById(db, visitor.linkId)
    if (!link) throw new UnauthorizedError('The link of this visitor token does not work any more')
    const agent = await agentOf(link)
    const caller: Caller = {
      organizationId: link.organization_id,
      workspaceId: link.workspace_id,
      keyId: link.id,
      role: 'member',
      permissions: new Set(),
      scopes: { operations: OPERATIONS, agent_ids: [agent.id] },
      visitor: {
        id: visitor.id,
        queriesPerMinute: link.queries_per_minute,
        queriesPerVisitor: link.queries_per_visitor,
      },
    }
    if (trusted.size >= LARGEST_CACHE) trusted.clear()
    trusted.set(token, { caller, until: Math.min(now + TRUST_MS, visitor.expiresAt) })
    return caller
  }

  return {
    /** Whom a visitor's token stands for. @throws UnauthorizedError, LinkNotFoundError */
    authenticate(token: string): Caller | Promise<Caller> {
      const known = trusted.get(token)
      return known && known.until > clock().getTime() ? known.caller : lookUp(token)
    },

    describe,

    /** Origins whose pages may show the page of a link in a frame; none for a link that leads nowhere. */
    async framesOf(token: string): Promise<string[]> {
      try {
        return JSON.parse((await describe(token)).link.allowed_origins)
      } catch (error) {
        if (error instanceof LinkNotFoundError) return []
        throw error
      }
    },

    /**
     * Lets a visitor in.
     * @param before their token from an earlier visit
     * @param insider who they are, if they sent a key or are signed in
     * @throws LinkNotFoundError, and ForbiddenError for a link that is for the organization only
     */
    async open(token: string, before: string | null, insider: Caller | undefined) {
      const { link, agent } = await describe(token)
      if (link.audience === 'organization' && insider?.organizationId !== link.organization_id)
        throw new ForbiddenError('This link is for people of its organization: sign in first')
      const now = clock().getTime()
      const id = known(before, link, now) ?? newId()
      const expiresAt = now + TTL_MS
      return { link, agent, visitorId: id, expiresAt, visitorToken: tokens.sign({ id, linkId: link.id, expiresAt }) }
    },
  }

  function known(before: string | null, link: LinkRow, now: number): string | undefined {
    if (before === null) return undefined
    try {
      const visitor = tokens.read(before)
      return visitor.linkId === link.id && visitor.expiresAt + RENEWED_FOR_MS > now ? visitor.id : undefined
    } catch {
      // Of another server, or of a link that is gone: they begin anew.
      return undefined
    }
  }
}

export const allowsAudience = ({ visibility }: AgentRecord, { audience }: Pick<LinkRow, 'audience'>): boolean =>
  visibility === 'public' || (audience === 'organization' && visibility === 'organization')
