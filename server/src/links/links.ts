import type { AgentService } from '../agents/agents.ts'
import type { Kernel } from '../kernel.ts'
import { createLinkService } from './links.service.ts'
import { createVisitorTokens } from './visitor-tokens.ts'
import { VisitorService, type VisitorServiceOptions } from './visitors.service.ts'

export { linkRoutes as linksRoutes } from './links.routes.ts'
export { sharedRoutes } from './shared.routes.ts'
export { createVisitorQueries } from './visitor-queries.ts'

interface LinksNeeds extends Pick<VisitorServiceOptions, 'findInsider'> {
  agents: AgentService
}

/** Links to agents, and the visitors who come through them. */
export async function createLinks(kernel: Kernel, { agents, findInsider }: LinksNeeds) {
  const tokens = createVisitorTokens(await kernel.getSecret('visitors'))
  return {
    agentLinks: createLinkService({ ...kernel, agents }),
    visitors: new VisitorService({ ...kernel, agents, tokens, findInsider }),
  }
}
