import {
  AGENTS,
  agentOf,
  chatTypeOf,
  countOf,
  DELIVERIES,
  FILES,
  FOLDERS,
  folderOf,
  INTEGRATIONS,
  idOf,
  JOBS,
  KEYS,
  OTHERS,
  PEOPLE,
  type Plan,
  parentOf,
  QUOTAS,
  SHORTCUTS,
  statusOf,
} from './plan.ts'

/** Body of an answer of any list. */
// biome-ignore lint/suspicious/noExplicitAny: the lists differ, and are told apart by their own `itemsOf`
type Answer = any

export interface Listing {
  label: string
  /** The request with this number: the same list, where there are many of a kind another of them. */
  path(turn: number): string
  itemsOf(data: Answer): unknown[]
  /** How many there are over all pages, where the seed tells it. */
  total?: number
  totalOf?(data: Answer): number
}

/** Every listing of the API on a seeded database: first page, a deep page, each filter. */
export function listingsOf(workspaceId: string, { chats, messages }: Plan): Listing[] {
  return [
    ...threads(chats),
    ...histories(messages),
    ...drive(),
    ...people(workspaceId),
    ...reports(workspaceId),
    ...management(workspaceId),
  ]
}

/** A list of ours: `{NAME: [...], total}`. */
const ours = (label: string, name: string, path: Listing['path'], total?: number): Listing => ({
  label,
  path,
  itemsOf: (data) => data[name],
  totalOf: (data) => data.total,
  total,
})

/** The last page but one, of 50. */
const deep = (total: number) => Math.max(1, Math.floor(total / 50) - 1)

function threads(chats: number): Listing[] {
  const path = `/agents/${idOf('agent', 0)}/chats`
  const count = (isSo: (chat: number) => boolean) => countOf(chats, (chat) => agentOf(chat) === 0 && isSo(chat))
  const all = count(() => true)
  const own = Array.from({ length: chats }, (_, chat) => chat).filter((chat) => agentOf(chat) === 0)
  const list = (what: string, query: (turn: number) => string, total?: number) =>
    ours(`threads, ${what}`, 'chats', (turn) => `${path}?${query(turn)}`, total)
  return [
    list('first page', () => '', all),
    list('deep page', () => `page=${deep(all)}`, all),
    list('by last message', () => 'sort=last_message_at', all),
    list('by tokens, deep page', () => `sort=total_tokens&order=asc&page=${deep(all)}`, all),
    list('by title', () => 'sort=title&order=asc', all),
    list('rated up', () => 'feedback=up'),
    list('waiting', () => 'status=waiting'),
    list('failed', () => 'status=failed'),
    list('of an hour', () => 'from=2026-01-01T01:00:00Z&to=2026-01-01T02:00:00Z'),
    list(
      'chat_type, many',
      () => 'chat_type=standard',
      count((chat) => chatTypeOf(chat) === 'standard'),
    ),
    list(
      'chat_type, few',
      () => 'chat_type=configuration',
      count((chat) => chatTypeOf(chat) === 'configuration'),
    ),
    list(
      'search, many',
      () => 'search=INVOICES',
      count((chat) => chat % 100 !== 0),
    ),
    list(
      'search, few',
      () => 'search=whales',
      count((chat) => chat % 100 === 0),
    ),
    list(
      'metadata, many',
      () => 'metadata.tier=gold',
      count((chat) => chat % 2 === 0),
    ),
    list('metadata, one', (turn) => `metadata.ticket=T-${own[turn % own.length]}`, 1),
    list('two of metadata', (turn) => `metadata.tier=gold&metadata.ticket=T-${(turn % (chats / 20)) * 20}`, 1),
    list('of a person', (turn) => `virtual_user_email=person.${1 + (turn % (PEOPLE - 1))}@example.com`),
    list('of a busy person', () => 'virtual_user_email=person.0@example.com'),
    list(
      'every filter',
      () => 'virtual_user_email=person.0@example.com&search=invoices&metadata.tier=gold&chat_type=standard',
    ),
  ]
}

function histories(messages: number): Listing[] {
  // Messages of chat 0.
  const own = Math.ceil(messages / 50)
  const path = (chat: number, query: string) =>
    `/agents/${idOf('agent', agentOf(chat))}/chats/${idOf('chat', chat)}/messages?page_size=50&${query}`
  const long = (what: string, query: string, total?: number): Listing => ({
    ...ours(`history of ${own.toLocaleString('en')}, ${what}`, 'messages', () => path(0, query), total),
  })
  const from = `from_message=${idOf('message', Math.floor(own / 2) * 50)}`
  return [
    ours('history, another chat each time', 'messages', (turn) => path(1 + turn, 'order=desc')),
    long('asc', 'order=asc'),
    long('desc', 'order=desc'),
    long('asc, deep page', `order=asc&page=${deep(own)}`),
    long('desc, deep page', `order=desc&page=${deep(own)}`),
    long('from_message', from),
    long('from_message, deep page, desc', `${from}&order=desc&page=${deep(own / 2)}`),
  ]
}

function drive(): Listing[] {
  const root = idOf('folder', 0)
  const folders = (label: string, query: string, key: string, length: number): Listing => ({
    label,
    path: () => `/knowledge-bases?${query}`,
    itemsOf: (data) => data[key],
    totalOf: (data) => data[key].length,
    total: length,
  })
  const inTree = (folder: number) => folder === 0 || parentOf(folder) !== undefined
  const below = countOf(FOLDERS, inTree) - 1
  const own = countOf(FILES, (file) => folderOf(file) === 0)
  const all = below + countOf(FILES, (file) => inTree(folderOf(file)))
  const files = (what: string, query: string, total?: number): Listing => ({
    label: `files, ${what}`,
    path: () => `/knowledge-bases/${root}/data-sources?${query}`,
    itemsOf: (data) => data.data_sources,
    totalOf: (data) => data.data_sources_count.total,
    total,
  })
  const atRoot = countOf(FOLDERS, (folder) => parentOf(folder) === undefined) + INTEGRATIONS
  return [
    folders('folders at the root', 'scope=org', 'org_knowledge_bases', atRoot),
    folders('folders in a folder', `scope=org&parent_kb_id=${root}`, 'org_knowledge_bases', 5),
    folders('folders shared with us', 'scope=shared', 'shared_knowledge_bases', OTHERS),
    files('first page', '', own),
    files('deep page', `page=${Math.floor(own / 20) - 1}`, own),
    files('search', 'search_str=WHALES'),
    files('recursive', 'recursive=true', all),
    files('recursive, deep page', `recursive=true&page=${Math.floor(all / 20) - 1}`, all),
    files('recursive, page of 500', 'recursive=true&page_size=500', all),
    files('recursive, search, many', 'recursive=true&search_str=invoices'),
    files('recursive, search, few', 'recursive=true&search_str=whales'),
    ours('shares of a folder', 'shares', () => `/knowledge-bases/${root}/shares`, OTHERS),
    ours('integrations', 'integrations', () => '/integrations?page=2', INTEGRATIONS),
  ]
}

function people(workspaceId: string): Listing[] {
  const path = `/workspaces/${workspaceId}/virtual-users`
  const list = (what: string, query: (turn: number) => string, total: number): Listing => ({
    label: `virtual users, ${what}`,
    path: (turn) => `${path}?${query(turn)}`,
    itemsOf: (data) => data.virtual_users,
    totalOf: (data) => data.pagination.total_count,
    total,
  })
  const of = (turn: number) => idOf('person', 1 + (turn % (PEOPLE - 1)))
  const usage = (label: string, person: (turn: number) => string): Listing => ({
    label,
    path: (turn) => `${path}/${person(turn)}/usage`,
    itemsOf: (data) => (data.messages > 0 ? [data] : []),
  })
  return [
    list('first page', () => '', PEOPLE),
    list('deep page', () => `page=${deep(PEOPLE)}`, PEOPLE),
    list('email', (turn) => `email=PERSON.${turn % PEOPLE}@example.com`, 1),
    list('search, all', () => 'search=shop', PEOPLE),
    list('search, one', () => 'search=person.999', 1),
    ours('chats of a person', 'chats', (turn) => `${path}/${of(turn)}/chats`),
    ours('chats of a busy person', 'chats', () => `${path}/${idOf('person', 0)}/chats`),
    ours('chats of a busy person, deep page', 'chats', () => `${path}/${idOf('person', 0)}/chats?page=20`),
    usage('usage of a person', of),
    usage('usage of a busy person', () => idOf('person', 0)),
  ]
}

/** Usage reports of the workspace over nearly a year, the months at both ends in part. */
function reports(workspaceId: string): Listing[] {
  const path = `/workspaces/${workspaceId}/usage`
  const report = (what: string, query: (turn: number) => string, count?: number): Listing => ({
    label: `usage, ${what}`,
    path: (turn) => `${path}?${query(turn)}`,
    itemsOf: (data) => (data.total.messages > 0 ? data.usage : []),
    totalOf: (data) => data.count,
    total: count,
  })
  const year = 'from=2026-01-10&to=2026-12-20'
  const month = 'from=2026-05-20&to=2026-06-18'
  const email = (turn: number) => `virtual_user_email=person.${1 + (turn % (PEOPLE - 1))}@example.com`
  return [
    report('by day, 30 days', () => month, 30),
    report('by day, a year', () => year, 345),
    report('by agent, a year', () => `${year}&group_by=agent`, AGENTS),
    report('by key, a year', () => `${year}&group_by=api_key`, 3),
    report('by model, a year', () => `${year}&group_by=model`, 1),
    report('by virtual user, 30 days', () => `${month}&group_by=virtual_user`),
    report('by virtual user, a year', () => `${year}&group_by=virtual_user`, PEOPLE + 1),
    report(
      'by virtual user, a year, deep page',
      () => `${year}&group_by=virtual_user&page_size=50&page=20`,
      PEOPLE + 1,
    ),
    report('of a person by day, a year', (turn) => `${year}&${email(turn)}`, 345),
    report('of a busy person by day, a year', () => `${year}&virtual_user_email=person.0@example.com`, 345),
    ours('quotas', 'quotas', () => `/workspaces/${workspaceId}/quotas`, QUOTAS),
  ]
}

function management(workspaceId: string): Listing[] {
  const workspace = `/workspaces/${workspaceId}`
  const agent = `/agents/${idOf('agent', 0)}`
  const failed = countOf(DELIVERIES, (delivery) => statusOf(delivery) === 'failed')
  const list = (label: string, name: string, path: string, total?: number) => ours(label, name, () => path, total)
  // One key of ten is revoked; the owner's is beside them.
  const keys = KEYS - KEYS / 10 + 1
  return [
    list('keys', 'api_keys', `${workspace}/api-keys`, keys),
    list('keys, deep page', 'api_keys', `${workspace}/api-keys?page=${deep(keys)}`, keys),
    list('deliveries', 'deliveries', `${workspace}/webhook-deliveries`, DELIVERIES),
    list('deliveries, deep page', 'deliveries', `${workspace}/webhook-deliveries?page=${deep(DELIVERIES)}`, DELIVERIES),
    list(
      'deliveries, status, many',
      'deliveries',
      `${workspace}/webhook-deliveries?status=delivered`,
      DELIVERIES - failed,
    ),
    list('deliveries, status, few', 'deliveries', `${workspace}/webhook-deliveries?status=failed&page=20`, failed),
    list('agents', 'agents', '/agents', AGENTS),
    list('agents, search', 'agents', '/agents?search=AGENT', AGENTS),
    list('jobs', 'jobs', `${agent}/jobs?page=3`, JOBS),
    list('shortcuts', 'shortcuts', `${agent}/shortcuts?page=3`, SHORTCUTS),
    list('a single chat, before its first query', 'messages', `${agent}/chats/${idOf('chat', 10)}/messages`),
  ]
}
