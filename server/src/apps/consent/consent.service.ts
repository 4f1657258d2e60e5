import type { Caller } from '../../access/access.ts'
import type { KernelParts } from '../../kernel-parts.ts'
import { isoNow } from '../../platform/clock.ts'
import { invalidField } from '../../platform/errors.ts'
import type { Clients } from '../clients/clients.service.ts'
import { type AuthorizationRequest, answerTo, readAuthorizationRequest } from '../protocol/authorization-request.ts'
import { type ChosenAgents, keyScopesOf, type Scope } from '../scopes.ts'
import { insertCode } from '../tokens/codes.store.ts'
import { hashSecret, newCode } from '../tokens/secrets.ts'

const CODE_MS = 60_000

/** Extent to which a person agrees. */
export interface Agreement {
  /** Default: all that is asked for. */
  scopes?: readonly Scope[]
  /** Ids of agents that the client may ask; null: all that the person may. */
  agentIds: readonly string[] | null
}

export interface ConsentOptions extends Pick<KernelParts, 'clock' | 'writes'> {
  clients: Clients
  /** @throws AgentNotFoundError for one that the person may not ask */
  agents: { get(caller: Caller, agentId: string): Promise<{ knowledgeBaseIds: string[] }> }
}

export type Consent = ReturnType<typeof createConsent>

/** Decisions of people on clients that ask to act for them. */
export function createConsent({ writes, clock, clients, agents }: ConsentOptions) {
  const read = (query: string, base: string) => readAuthorizationRequest(query, { clients, base })

  /** @throws AgentNotFoundError */
  async function chosenAgents(caller: Caller, ids: readonly string[] | null): Promise<ChosenAgents | null> {
    if (ids === null) return null
    const agentIds = [...new Set(ids)]
    const folderIds = new Set<string>()
    for (const id of agentIds)
      for (const folderId of (await agents.get(caller, id)).knowledgeBaseIds) folderIds.add(folderId)
    return { agentIds, folderIds: [...folderIds] }
  }

  /** @throws ValidationError for a scope that was not asked for */
  function agreedScopes({ scopes }: AuthorizationRequest, agreed: readonly Scope[]): Scope[] {
    const beyond = agreed.findIndex((scope) => !scopes.includes(scope))
    if (beyond >= 0) throw invalidField(`scopes.${beyond}`, 'is not asked for')
    return scopes.filter((scope) => agreed.includes(scope))
  }

  return {
    /** @param query of the address of the consent page @throws OAuthError */
    read,

    /**
     * Stores that the person agrees. @returns the address at which the client gets its code
     * @throws OAuthError, AgentNotFoundError, ValidationError
     */
    async agree(caller: Caller, query: string, base: string, agreement: Agreement): Promise<string> {
      const chosen = await chosenAgents(caller, agreement.agentIds)
      const request = await read(query, base)
      const { client, redirectUri, codeChallenge } = request
      const scopes = agreement.scopes ? agreedScopes(request, agreement.scopes) : request.scopes
      const keyScopes = keyScopesOf(scopes, chosen)
      const code = newCode()
      await writes.commit((tx) =>
        insertCode(tx, caller.organizationId, {
          hash: hashSecret(code),
          workspaceId: caller.workspaceId,
          memberId: caller.memberId!,
          approvedBy: caller.keyId,
          clientId: client.id,
          clientName: client.name,
          redirectUri,
          codeChallenge,
          audience: client.audience,
          scope: scopes.join(' '),
          keyScopes,
          createdAt: isoNow(clock),
          expiresAt: new Date(clock().getTime() + CODE_MS).toISOString(),
        }),
      )
      return answerTo(request, base, { code })
    },

    /** @returns the address at which the client hears that the person refuses @throws OAuthError */
    async refuse(query: string, base: string): Promise<string> {
      return answerTo(await read(query, base), base, { error: 'access_denied' })
    },
  }
}
