import { z } from 'zod'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { createApiClient } from '../api/api-client.ts'
import { ApiRefusedError, checkedAnswer } from '../api/api-refused.ts'
import { bearerToken } from '../api/bearer-token.ts'
import { type SourceContext, SourceItemError } from '../source.ts'
import type { SlackConfig } from './slack-kind.ts'

const API = 'Slack API'
const A_PAGE = '200'

const Team = z.looseObject({ url: z.string(), team: z.string().optional() })
const Channel = z.looseObject({
  id: z.string().min(1),
  name: z.string().min(1),
  is_private: z.boolean().optional(),
  /** Shared with other workspaces. */
  is_ext_shared: z.boolean().optional(),
})
export type Channel = z.infer<typeof Channel>

const User = z.looseObject({
  id: z.string(),
  name: z.string().optional(),
  real_name: z.string().optional(),
  profile: z
    .looseObject({
      display_name: z.string().optional(),
      real_name: z.string().optional(),
      email: z.string().nullish(),
    })
    .optional(),
  /** Whether they left. */
  deleted: z.boolean().optional(),
  /** Whether they are a guest, of several channels or of one. */
  is_restricted: z.boolean().optional(),
  is_ultra_restricted: z.boolean().optional(),
})
export type User = z.infer<typeof User>

const Attached = z.object({
  id: z.string().min(1),
  name: z.string().nullish(),
  size: z.number().nullish(),
  mode: z.string().nullish(),
  permalink: z.string().nullish(),
  url_private: z.string().nullish(),
  url_private_download: z.string().nullish(),
})

/** Message without its looks (`blocks`), which are large. */
const Message = z.object({
  ts: z.string().regex(/^\d+\.\d+$/),
  subtype: z.string().optional(),
  user: z.string().optional(),
  username: z.string().optional(),
  text: z.string().default(''),
  thread_ts: z.string().optional(),
  reply_count: z.number().optional(),
  latest_reply: z.string().optional(),
  edited: z.looseObject({ ts: z.string() }).optional(),
  files: z.array(Attached).optional(),
  attachments: z.array(z.looseObject({ fallback: z.string().optional(), text: z.string().optional() })).optional(),
})
export type Message = z.infer<typeof Message>

const Page = z.looseObject({ response_metadata: z.looseObject({ next_cursor: z.string().optional() }).optional() })

/** Errors that a token is refused with. */
const OF_TOKENS = new Set(
  'invalid_auth not_authed token_expired token_revoked account_inactive org_login_required ekm_access_denied'.split(
    ' ',
  ),
)
const OF_RIGHTS = new Set('missing_scope not_allowed_token_type no_permission not_in_channel access_denied'.split(' '))
const OF_THE_MOMENT = new Set('internal_error fatal_error service_unavailable request_timeout'.split(' '))

const Refused = z.looseObject({
  ok: z.literal(false),
  error: z.string().max(100),
  needed: z.string().max(200).optional(),
})

/** Asks Slack (Web API). */
export function createSlack(outbound: Outbound, config: SlackConfig, tokensOf: SourceContext['tokensOf']) {
  const base = config.endpoint.replace(/\/$/, '')
  const client = createApiClient(outbound, {
    requestsPerSecond: config.requests_per_second,
    addressField: 'endpoint',
    ...bearerToken(config, tokensOf),
    statusOf,
    reasonOf: ({ body }) => {
      const { error, needed } = Refused.safeParse(body).data ?? {}
      if (error === 'missing_scope') return `the token lacks the scope ${needed ?? 'for it'}`
      return error && `Slack answered ${error}`
    },
  })
  const ask = (method: string, query: Record<string, string>, signal: AbortSignal) =>
    client.json(`${base}/${method}?${new URLSearchParams(query)}`, signal)

  async function* list<T extends z.ZodType>(
    method: string,
    { field, item, ...query }: { field: string; item: T; [name: string]: unknown },
    signal: AbortSignal,
  ): AsyncGenerator<z.infer<T>> {
    let cursor: string | undefined
    do {
      const all = { limit: A_PAGE, ...(query as Record<string, string>), ...(cursor && { cursor }) }
      const page = checkedAnswer(Page, await ask(method, all, signal), API)
      yield* checkedAnswer(z.array(item), page[field], API)
      cursor = page.response_metadata?.next_cursor || undefined
    } while (cursor !== undefined)
  }

  return {
    team: async (signal: AbortSignal) => checkedAnswer(Team, await ask('auth.test', {}, signal), API),
    /** Channels that the token's owner is a member of. */
    channels: (signal: AbortSignal) =>
      list(
        'users.conversations',
        { field: 'channels', item: Channel, types: 'public_channel,private_channel' },
        signal,
      ),
    users: (signal: AbortSignal) => list('users.list', { field: 'members', item: User }, signal),
    /** Undefined for somebody whom the token is not told of. */
    async user(id: string, signal: AbortSignal): Promise<User | undefined> {
      try {
        return checkedAnswer(z.looseObject({ user: User }), await ask('users.info', { user: id }, signal), API).user
      } catch (error) {
        if (error instanceof ApiRefusedError) return undefined
        throw error
      }
    },
    /** Ids of the people in a channel. */
    members: (channel: string, signal: AbortSignal) =>
      list('conversations.members', { field: 'members', item: z.string(), channel }, signal),
    /** Messages of a channel but for replies, the newest first. @param latest default: now */
    history: (channel: string, { oldest, latest }: { oldest: string; latest?: string }, signal: AbortSignal) => {
      const range = { oldest, inclusive: 'true', ...(latest && { latest }) }
      return list('conversations.history', { field: 'messages', item: Message, channel, ...range }, signal)
    },
    /** A message and all replies to it. */
    replies: (channel: string, ts: string, signal: AbortSignal) =>
      list('conversations.replies', { field: 'messages', item: Message, channel, ts }, signal),
    /** Bytes of a file; those elsewhere get no token, and a page to log in is none. */
    async file(url: string, signal: AbortSignal) {
      const { protocol, hostname, origin } = new URL(url)
      const isSlacks = protocol === 'https:' && /(?:^|\.)slack\.com$/.test(hostname)
      if (!isSlacks && origin !== new URL(base).origin) throw new SourceItemError('it does not lie at Slack')
      return client.bytes(url, signal, { isFollowed: false })
    },
  }
}

export type Slack = ReturnType<typeof createSlack>

/** Status that an answer stands for: Slack refuses with 200 and `ok: false`. */
function statusOf(body: unknown): number | undefined {
  const { error } = Refused.safeParse(body).data ?? {}
  if (error === undefined) return undefined
  if (OF_TOKENS.has(error)) return 401
  if (OF_RIGHTS.has(error)) return 403
  if (error === 'ratelimited') return 429
  return OF_THE_MOMENT.has(error) ? 503 : 400
}
