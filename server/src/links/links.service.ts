import { randomBytes } from 'node:crypto'
import type { Caller } from '../access/access.ts'
import type { AgentRecord, AgentService } from '../agents/agents.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { KernelParts } from '../kernel-parts.ts'
import { isoNow } from '../platform/clock.ts'
import { commitChecked } from '../platform/database/statements/commit-checked.ts'
import { invalidField } from '../platform/errors.ts'
import { type Picture, readPicture } from '../platform/pictures.ts'
import { LinkNotFoundError } from './links.errors.ts'
import type { AgentLinkPath, CreateAgentLink, UpdateAgentLink } from './links.schemas.ts'
import {
  deleteLink,
  findLink,
  insertLink,
  type LinkChange,
  type LinkRecord,
  listLinks,
  updateLink,
} from './links.store.ts'
import { putLogo } from './logos.store.ts'
import { allowsAudience } from './visitors.service.ts'

export type LinkService = ReturnType<typeof createLinkService>

export interface LinkServiceOptions extends Pick<KernelParts, 'clock' | 'db' | 'newId' | 'writes'> {
  agents: AgentService
}

export interface LinkOfAgent {
  link: LinkRecord
  agent: AgentRecord
}

/** The links of agents, for those who manage the agents. */
export function createLinkService({ db, writes, newId, clock, agents }: LinkServiceOptions) {
  /** @throws AgentNotFoundError, LinkNotFoundError */
  async function get(caller: Caller, { agent_id, link_id }: AgentLinkPath): Promise<LinkOfAgent> {
    const agent = await agents.getToLink(caller, agent_id)
    const link = await findLink(db, caller.organizationId, agent.id, link_id)
    if (!link || link.workspaceId !== caller.workspaceId) throw new LinkNotFoundError()
    return { link, agent }
  }

  return {
    get,

    /** @throws AgentNotFoundError, ValidationError where the agent's visibility does not allow the audience */
    async create(caller: Caller, agentId: string, fields: CreateAgentLink): Promise<LinkOfAgent> {
      const agent = await agents.getToLink(caller, agentId)
      requireAllowed(agent, fields.audience)
      const logo = readLogo(fields)
      const at = isoNow(clock)
      const link: LinkRecord = {
        id: newId(),
        organizationId: caller.organizationId,
        workspaceId: caller.workspaceId,
        agentId: agent.id,
        rightsHolderId: caller.rightsHolderId,
        token: `dcl_${randomBytes(18).toString('base64url')}`,
        name: fields.name,
        audience: fields.audience,
        allowedOrigins: fields.allowed_origins,
        greeting: fields.greeting,
        look: {
          color: fields.color,
          position: fields.position,
          starterQuestions: fields.starter_questions,
          language: fields.language,
          logo: logo?.sha256 ?? null,
        },
        queriesPerMinute: fields.queries_per_minute,
        queriesPerVisitor: fields.queries_per_visitor_per_minute,
        createdAt: at,
        updatedAt: at,
      }
      await writes.commit(async (tx) => {
        await insertLink(tx, caller.organizationId, link)
        if (logo) await putLogo(tx, caller.organizationId, link.id, logo, at)
        await recordAudit(tx, caller, { action: 'agent_link.created', at, target: targetOf(link) })
      })
      return { link, agent }
    },

    /** Newest first. @throws AgentNotFoundError */
    async list(caller: Caller, agentId: string, { page, page_size }: { page: number; page_size: number }) {
      const agent = await agents.getToLink(caller, agentId)
      const range = { limit: page_size, offset: (page - 1) * page_size }
      return { agent, ...(await listLinks(db, caller.organizationId, caller.workspaceId, agent.id, range)) }
    },

    async update(caller: Caller, path: AgentLinkPath, fields: UpdateAgentLink): Promise<LinkOfAgent> {
      const { link, agent } = await get(caller, path)
      if (fields.audience) requireAllowed(agent, fields.audience)
      const logo = readLogo(fields)
      const change = { ...changeOf(fields, logo), rightsHolderId: caller.rightsHolderId }
      const at = isoNow(clock)
      const updated = await writes.commit(async (tx) => {
        const changed = await updateLink(tx, caller.organizationId, link.id, change, at)
        const details = { fields: Object.keys(fields) }
        if (changed && logo !== undefined) await putLogo(tx, caller.organizationId, link.id, logo, at)
        if (changed)
          await recordAudit(tx, caller, { action: 'agent_link.updated', at, target: targetOf(changed), details })
        return changed
      })
      if (!updated) throw new LinkNotFoundError()
      return { link: updated, agent }
    },

    /** Its visitors are out within seconds; their chats stay. */
    async remove(caller: Caller, path: AgentLinkPath): Promise<void> {
      const { link } = await get(caller, path)
      await commitChecked(writes, async (tx) => {
        if (!(await deleteLink(tx, caller.organizationId, link.id))) throw new LinkNotFoundError()
        const at = isoNow(clock)
        await recordAudit(tx, caller, { action: 'agent_link.deleted', at, target: targetOf(link) })
      })
    },
  }
}

/** Change of a link by the fields that are given. */
function changeOf(fields: UpdateAgentLink, logo: Picture | null | undefined): LinkChange {
  const { name, audience, greeting, color, position, language, starter_questions: starterQuestions } = fields
  return {
    ...{ name, audience, greeting },
    allowedOrigins: fields.allowed_origins,
    look: { color, position, language, starterQuestions, logo: logo === null ? null : logo?.sha256 },
    queriesPerMinute: fields.queries_per_minute,
    queriesPerVisitor: fields.queries_per_visitor_per_minute,
  }
}

/** Picture that a request puts on a link: null takes it away, undefined leaves it. @throws ValidationError */
const readLogo = ({ logo }: Pick<UpdateAgentLink, 'logo'>) => (logo == null ? logo : readPicture(logo, 'logo'))

const targetOf = ({ id, name }: LinkRecord) => ({ type: 'agent_link', id, name }) as const

function requireAllowed(agent: AgentRecord, audience: LinkRecord['audience']): void {
  if (allowsAudience(agent, { audience })) return
  const needed = audience === 'public' ? 'public' : 'organization or public'
  const message = `needs an agent whose visibility is ${needed}; that of this one is ${agent.visibility}`
  throw invalidField('audience', message)
}
