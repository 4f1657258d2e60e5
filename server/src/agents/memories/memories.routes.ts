import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { reach } from '../../access/access.ts'
import { failures } from '../../platform/http/failures.ts'
import { Deleted, pageOf } from '../../platform/http/validation/schemas.ts'
import { VirtualUserParams } from '../../users/users.ts'
import { type Memory, MemoryList, MemoryListQuery, MemoryParams } from './memories.schemas.ts'
import type { MemoryService } from './memories.service.ts'
import type { PersonMemory } from './memories.store.ts'

const tags = ['Virtual users']
const responses = failures(401, 403, 404, 422)

export const memoryRoutes =
  ({ memories }: { memories: MemoryService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/workspaces/:workspace_id/virtual-users/:virtual_user_id/memories',
      {
        config: {
          validationStatus: 422,
          access: {
            who: 'admin',
            on: [reach.workspace, reach.part('virtual_user'), reach.agent('use', 'query.agent_id')],
          },
        },
        schema: {
          operationId: 'virtualUsers.memories.list',
          tags,
          summary: 'List what agents remember of a person, newest first',
          params: VirtualUserParams,
          querystring: MemoryListQuery,
          response: { 200: MemoryList, ...responses },
        },
      },
      async ({ caller, params, query }) => {
        const found = await memories.list(caller, params.virtual_user_id, query)
        return { data: { memories: found.memories.map(toWire), ...pageOf(query, found.total) } }
      },
    )

    app.delete(
      '/workspaces/:workspace_id/virtual-users/:virtual_user_id/memories/:memory_id',
      {
        config: {
          validationStatus: 422,
          access: { who: 'admin', on: [reach.workspace, reach.part('virtual_user'), reach.part('memory')] },
        },
        schema: {
          operationId: 'virtualUsers.memories.delete',
          tags,
          summary: 'Make an agent forget something about a person',
          params: MemoryParams,
          response: { 200: Deleted, ...responses },
        },
      },
      async ({ caller, params }) => {
        await memories.remove(caller, params.virtual_user_id, params.memory_id)
        return { data: { deleted: true as const } }
      },
    )
  }

const toWire = (memory: PersonMemory): z.input<typeof Memory> => ({
  id: memory.id,
  agent_id: memory.agentId,
  topic: memory.topic,
  text: memory.text,
  message_id: memory.messageId,
  created_at: memory.createdAt,
  updated_at: memory.updatedAt,
})
