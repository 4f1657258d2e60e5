import type { CallOptions, Transport } from '../http/transport.ts'
import type { Body, Query } from '../operations.ts'

/** Agents, with the jobs and shortcuts of each. To change them needs the permission `manage_agents`. */
export const agents = (transport: Transport) => ({
  /** @throws DocentError `KNOWLEDGE_BASE_NOT_FOUND` if a folder is not there */
  create: (agent: Body<'agents.create'>, options?: CallOptions) =>
    transport.data('POST /agents', [], { ...options, body: agent }),

  /** Newest first, 50 a page by default; pages count from 1. */
  list: (query?: Query<'agents.list'>, options?: CallOptions) =>
    transport.list('GET /agents', [], { ...options, query }),

  /** @throws DocentError `AGENT_NOT_FOUND` */
  get: (agentId: string, options?: CallOptions) => transport.data('GET /agents/{agent_id}', [agentId], options),

  /** The model that an agent answers with, and what it can do. */
  model: (agentId: string, options?: CallOptions) => transport.data('GET /agents/{agent_id}/model', [agentId], options),

  /** Changes what is given; the rest stays. @throws DocentError `AGENT_NOT_FOUND` */
  update: (agentId: string, changes: Body<'agents.update'>, options?: CallOptions) =>
    transport.data('PATCH /agents/{agent_id}', [agentId], { ...options, body: changes }),

  /** Its chats are out of reach from then on. @throws DocentError `AGENT_NOT_FOUND` */
  delete: (agentId: string, options?: CallOptions) => transport.data('DELETE /agents/{agent_id}', [agentId], options),

  /**
   * The agent as a file: with its jobs and shortcuts, folders by path, without ids and secrets; `unmapped` names the rest.
   * `jobs: 'skills'` gives each job as a folder in the Agent Skills format.
   */
  export: (agentId: string, query?: Query<'agents.export'>, options?: CallOptions) =>
    transport.data('GET /agents/{agent_id}/export', [agentId], { ...options, query }),

  /**
   * Makes an agent of a file, or, with `agent_id`, makes that agent like it: jobs and shortcuts that the file lacks are
   * deleted. With `dry_run` it only tells the `changes`. `unmapped` names what this server could not take.
   * @throws DocentError `AGENT_NOT_FOUND`
   */
  import: (wanted: Body<'agents.import'>, options?: CallOptions) =>
    transport.data('POST /agents/import', [], { ...options, body: wanted }),

  mcpServers: {
    /**
     * Looks whether an MCP server can be reached, and which tools it offers: one of the agent's, by its `name`, or a
     * `server` that it does not have yet. One that is away is no error: see `is_reachable` and `error_message`.
     * @throws DocentError `AGENT_NOT_FOUND`
     */
    check: (agentId: string, which: Body<'agents.mcpServers.check'>, options?: CallOptions) =>
      transport.data('POST /agents/{agent_id}/mcp-servers/actions/check', [agentId], {
        ...options,
        body: which,
      }),

    /** Begins the login at a server that asks for one. @returns the page to send the person to */
    connect: (agentId: string, url: string, options?: CallOptions) =>
      transport.data('POST /agents/{agent_id}/mcp-servers/actions/connect', [agentId], { ...options, body: { url } }),

    /** Finishes it with the query that the person came back with, by the session or key that began it. */
    finishConnect: (agentId: string, query: Body<'agents.mcpServers.finishConnect'>, options?: CallOptions) =>
      transport.data('POST /agents/{agent_id}/mcp-servers/actions/finish-connect', [agentId], {
        ...options,
        body: query,
      }),

    /** Logs the agent out, and forgets its tokens. */
    disconnect: (agentId: string, url: string, options?: CallOptions) =>
      transport.data('POST /agents/{agent_id}/mcp-servers/actions/disconnect', [agentId], {
        ...options,
        body: { url },
      }),
  },

  openApiTools: {
    /**
     * Looks whether an OpenAPI document can be used, and which operations it describes: that of one of the agent's APIs,
     * by its `name`, or of a `source` that it does not have yet. One that cannot be read is no error: see `is_readable`
     * and `error_message`.
     * @throws DocentError `AGENT_NOT_FOUND`
     */
    check: (agentId: string, which: Body<'agents.openApiTools.check'>, options?: CallOptions) =>
      transport.data('POST /agents/{agent_id}/openapi-tools/actions/check', [agentId], {
        ...options,
        body: which,
      }),
  },

  /** Rights of members and groups to the agent: who may use and change it, and who sees its threads. */
  grants: {
    get: (agentId: string, options?: CallOptions) =>
      transport.data('GET /agents/{agent_id}/grants', [agentId], options),

    /**
     * Sets all of them; up to its owner and the admins, and those of the level `threads` to its owner alone.
     * @throws DocentError `FORBIDDEN`
     */
    set: (agentId: string, grants: Body<'agents.grants.set'>['grants'], options?: CallOptions) =>
      transport.data('PUT /agents/{agent_id}/grants', [agentId], { ...options, body: { grants } }),
  },

  jobs: partsOf(transport, 'jobs'),
  shortcuts: partsOf(transport, 'shortcuts'),
  /** Links through which people chat with the agent without a key. */
  links: partsOf(transport, 'links'),
})

const ONE = {
  jobs: '/agents/{agent_id}/jobs/{job_id}',
  shortcuts: '/agents/{agent_id}/shortcuts/{shortcut_id}',
  links: '/agents/{agent_id}/links/{link_id}',
} as const

/**
 * Jobs, shortcuts or links of an agent. @throws DocentError `JOB_NOT_FOUND`, `SHORTCUT_NOT_FOUND` or
 * `AGENT_LINK_NOT_FOUND`
 */
function partsOf<P extends keyof typeof ONE>(transport: Transport, part: P) {
  const all = `/agents/{agent_id}/${part}` as const
  const one = ONE[part]
  return {
    create: (agentId: string, fields: Body<`agents.${P}.create`>, options?: CallOptions) =>
      transport.data(`POST ${all}`, [agentId], { ...options, body: fields }),

    /** Pages count from 1. */
    list: (agentId: string, query?: Query<`agents.${P}.list`>, options?: CallOptions) =>
      transport.list(`GET ${all}`, [agentId], { ...options, query: query as object | undefined }),

    get: (agentId: string, id: string, options?: CallOptions) => transport.data(`GET ${one}`, [agentId, id], options),

    /** Changes what is given; the rest stays. */
    update: (agentId: string, id: string, changes: Body<`agents.${P}.update`>, options?: CallOptions) =>
      transport.data(`PATCH ${one}`, [agentId, id], { ...options, body: changes }),

    delete: (agentId: string, id: string, options?: CallOptions) =>
      transport.data(`DELETE ${one}`, [agentId, id], options),
  }
}
