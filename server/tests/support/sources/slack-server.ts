import { scriptedLogin } from '../access/scripted-login.ts'
import { type ScriptedAnswer, type ScriptedRequest, scriptedApi } from '../http/scripted-api.ts'

interface File {
  id: string
  name: string
  content: string
  mode?: string
  url?: string
}

interface Message {
  ts: string
  user: string
  text: string
  subtype?: string
  edited?: { ts: string }
  files?: File[]
  replies?: Message[]
}

interface Channel {
  name: string
  messages: Message[]
  isPrivate?: boolean
  members?: string[]
}

/** People as Slack lists them. */
const PEOPLE: object[] = [
  { id: 'U1', name: 'ada', real_name: 'Ada L.', profile: { display_name: 'Ada', email: 'ada@example.com' } },
  { id: 'U2', name: 'grace', real_name: 'Grace', profile: { display_name: '', email: 'grace@example.com' } },
]

const TOKEN = 'xoxb-of-the-app'

/** Workspace of Slack with channels by their ids; lists have pages of two. Refusals come with 200, as Slack has them. */
export async function scriptedSlack(given: Record<string, Channel>, everybody = PEOPLE) {
  const people = [...everybody]
  const channels = new Map(Object.entries(given))
  /** People of other workspaces, by their ids. */
  const strangers = new Map<string, object>()
  const login = scriptedLogin({
    isBasic: true,
    extra: { ok: true, token_type: 'bot', team: { id: 'T1', name: 'Example' } },
  })
  const refuse = (error: string): ScriptedAnswer => ({ body: { ok: false, error } })

  function listOf(field: string, all: unknown[], query: URLSearchParams): ScriptedAnswer {
    const from = Number(query.get('cursor') || 0)
    const next_cursor = from + 2 < all.length ? String(from + 2) : ''
    return {
      body: {
        ok: true,
        [field]: all.slice(from, from + 2),
        has_more: next_cursor !== '',
        response_metadata: { next_cursor },
      },
    }
  }

  function shown(message: Message, thread_ts?: string) {
    const { replies = [], files = [], ...rest } = message
    const thread =
      replies.length > 0 ? { thread_ts: message.ts, reply_count: replies.length, latest_reply: replies.at(-1)!.ts } : {}
    return {
      type: 'message',
      ...rest,
      ...thread,
      ...(thread_ts && { thread_ts }),
      ...(files.length > 0 && {
        files: files.map(({ id, name, content, mode = 'hosted', url }) => ({
          id,
          name,
          mode,
          size: Buffer.byteLength(content),
          permalink: `https://example.slack.com/files/U1/${id}/${name}`,
          url_private_download: url ?? `${api.url}/files/${id}`,
        })),
      }),
    }
  }

  function answer(method: string, query: URLSearchParams): ScriptedAnswer | undefined {
    const channel = channels.get(query.get('channel') ?? '')
    const byTime = (all: Message[]) => all.toSorted((one, other) => Number(one.ts) - Number(other.ts))
    switch (method) {
      case 'auth.test':
        return { body: { ok: true, url: 'https://example.slack.com/', team: 'Example', user_id: 'U0' } }
      case 'users.conversations':
        return listOf(
          'channels',
          [...channels].map(([id, { name, isPrivate = false }]) => ({
            id,
            name,
            is_private: isPrivate,
            is_member: true,
          })),
          query,
        )
      case 'users.list':
        return listOf('members', people, query)
      case 'users.info': {
        const user = strangers.get(query.get('user') ?? '')
        return user ? { body: { ok: true, user } } : refuse('user_not_found')
      }
      case 'conversations.members':
        return channel ? listOf('members', channel.members ?? [], query) : refuse('channel_not_found')
      case 'conversations.history': {
        if (!channel) return refuse('channel_not_found')
        const [oldest, latest] = [
          Number(query.get('oldest') ?? 0),
          Number(query.get('latest') ?? Number.POSITIVE_INFINITY),
        ]
        const within = byTime(channel.messages).filter(({ ts }) => Number(ts) >= oldest && Number(ts) <= latest)
        return listOf(
          'messages',
          within.toReversed().map((one) => shown(one)),
          query,
        )
      }
      case 'conversations.replies': {
        const ts = query.get('ts')
        const root = channel?.messages.find((one) => one.ts === ts)
        if (!root) return refuse('thread_not_found')
        return listOf('messages', [shown(root), ...(root.replies ?? []).map((one) => shown(one, root.ts))], query)
      }
    }
    return undefined
  }

  function handle(request: ScriptedRequest): ScriptedAnswer | undefined {
    const { url, headers } = request
    const given = login.answer(request)
    if (given) return given.status === 400 ? refuse(String((given.body as { error: string }).error)) : given
    const isKnown = headers.authorization === `Bearer ${TOKEN}` || login.isLoggedIn(request)
    const [, kind, name = ''] = url.pathname.split('/')
    if (kind === 'files') {
      const all = [...channels.values()].flatMap(({ messages }) =>
        messages.flatMap((one) => [one, ...(one.replies ?? [])]),
      )
      const file = all.flatMap(({ files = [] }) => files).find(({ id }) => id === name)
      return isKnown ? file && { body: file.content } : { status: 302, headers: { location: '/signin' } }
    }
    return isKnown ? answer(name, url.searchParams) : refuse('invalid_auth')
  }

  const api = await scriptedApi(handle)
  const config = { token: TOKEN, endpoint: `${api.url}/api`, requests_per_second: 100 }
  return { ...api, channels, people, strangers, login, config }
}
