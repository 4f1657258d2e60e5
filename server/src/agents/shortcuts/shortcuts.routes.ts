import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { reach } from '../../access/access.ts'
import { Deleted, ErrorResponse, pageOf } from '../../platform/http/validation/schemas.ts'
import { AgentPath } from '../agent/agents.schemas.ts'
import {
  CreateShortcut,
  ShortcutList,
  ShortcutListQuery,
  ShortcutPath,
  ShortcutReply,
  UpdateShortcut,
} from './shortcuts.schemas.ts'
import type { ShortcutService } from './shortcuts.service.ts'
import type { ShortcutRecord } from './shortcuts.store.ts'

const errors = { 400: ErrorResponse, 401: ErrorResponse, 403: ErrorResponse, 404: ErrorResponse }
const tags = ['Agents']

export const shortcutRoutes =
  ({ shortcuts }: { shortcuts: ShortcutService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/agents/:agent_id/shortcuts',
      {
        config: { access: { who: 'manage_agents', on: [reach.agent('change'), reach.part('job', 'body.job_id')] } },
        schema: {
          operationId: 'agents.shortcuts.create',
          tags,
          summary: 'Give an agent a shortcut',
          params: AgentPath,
          body: CreateShortcut,
          response: { 200: ShortcutReply, ...errors },
        },
      },
      async ({ caller, params, body }) => ({ data: toWire(await shortcuts.create(caller, params.agent_id, body)) }),
    )

    app.get(
      '/agents/:agent_id/shortcuts',
      {
        config: { access: { who: 'caller', on: [reach.agent('use')] } },
        schema: {
          operationId: 'agents.shortcuts.list',
          tags,
          summary: 'List the shortcuts of an agent, newest first',
          params: AgentPath,
          querystring: ShortcutListQuery,
          response: { 200: ShortcutList, ...errors },
        },
      },
      async ({ caller, params, query }) => {
        const found = await shortcuts.list(caller, params.agent_id, query)
        return { data: { shortcuts: found.shortcuts.map(toWire), ...pageOf(query, found.total) } }
      },
    )

    app.get(
      '/agents/:agent_id/shortcuts/:shortcut_id',
      {
        config: { access: { who: 'caller', on: [reach.agent('use'), reach.part('shortcut')] } },
        schema: {
          operationId: 'agents.shortcuts.get',
          tags,
          summary: 'Get a shortcut',
          params: ShortcutPath,
          response: { 200: ShortcutReply, ...errors },
        },
      },
      async ({ caller, params }) => ({ data: toWire(await shortcuts.get(caller, params)) }),
    )

    app.patch(
      '/agents/:agent_id/shortcuts/:shortcut_id',
      {
        config: {
          access: {
            who: 'manage_agents',
            on: [reach.agent('change'), reach.part('shortcut'), reach.part('job', 'body.job_id')],
          },
        },
        schema: {
          operationId: 'agents.shortcuts.update',
          tags,
          summary: 'Change a shortcut; what is left out stays',
          params: ShortcutPath,
          body: UpdateShortcut,
          response: { 200: ShortcutReply, ...errors },
        },
      },
      async ({ caller, params, body }) => ({ data: toWire(await shortcuts.update(caller, params, body)) }),
    )

    app.delete(
      '/agents/:agent_id/shortcuts/:shortcut_id',
      {
        config: { access: { who: 'manage_agents', on: [reach.agent('change'), reach.part('shortcut')] } },
        schema: {
          operationId: 'agents.shortcuts.delete',
          tags,
          summary: 'Delete a shortcut',
          params: ShortcutPath,
          response: { 200: Deleted, ...errors },
        },
      },
      async ({ caller, params }) => {
        await shortcuts.remove(caller, params)
        return { data: { deleted: true as const } }
      },
    )
  }

const toWire = (shortcut: ShortcutRecord) => ({
  id: shortcut.id,
  agent_id: shortcut.agentId,
  name: shortcut.name,
  prompt: shortcut.prompt,
  fields: shortcut.fields,
  job_id: shortcut.jobId,
  created_at: shortcut.createdAt,
  updated_at: shortcut.updatedAt,
})
