import type { FoundMessage } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { docent, useMay } from '../../access/access.ts'
import { useAgents } from '../../agents/agents.ts'
import {
  citationPosition,
  findCitedRows,
  findEverywhere,
  findPassages,
  folderById,
  readableLine,
} from '../../drive/drive.ts'
import { formatTime } from '../../platform/format.ts'
import { formatLocation } from '../../platform/format-location.ts'
import { useDebounced } from '../../platform/state/use-debounced.ts'
import {
  Archive,
  Bot,
  FileText,
  Folder,
  FolderKanban,
  type LucideIcon,
  MessageSquare,
  MessageSquarePlus,
  Pin,
  Search,
} from '../../ui/icons.ts'
import { useHiddenChats } from '../chat/chat-deletions.ts'
import { useChats } from '../chats.queries.ts'
import { useProjects } from '../projects/projects.queries.ts'
import { lastAgentId } from '../start/last-agent.ts'
import { isTurnHere, showTurn } from '../turns/shown-turn.ts'
import { excerptOf } from './excerpt.ts'
import type { Page } from './page.ts'

const MOST = 6
/** Letters from which on texts are searched. */
const LEAST = 2

export interface Place {
  id: string
  icon: LucideIcon
  name: string
  aside?: string
  /** Text that was found there. */
  says?: string
  go: () => unknown
}

export interface PlaceGroup {
  id: string
  name: string
  places: Place[]
}

interface Places {
  groups: PlaceGroup[]
  isSearching: boolean
  error: Error | null
}

/** Places that hold what is searched; without a search, where one goes most. */
export function usePlaces(pages: Page[], commands: Place[], search: string): Places {
  const settled = useDebounced(search)
  const isSought = search.length >= LEAST
  const sought = { enabled: isSought && settled.length >= LEAST, placeholderData: keepPreviousData, staleTime: 30_000 }
  const named = useQuery({ ...findEverywhere(settled), ...sought })
  const passages = useQuery({
    queryKey: ['found-passages', undefined, settled],
    queryFn: ({ signal }) => findPassages(null, settled, signal),
    ...sought,
  })
  const messages = useQuery({
    queryKey: ['found-messages', settled],
    queryFn: ({ signal }) => docent().chats.search({ query: settled, limit: MOST }, { signal }),
    ...sought,
  })
  const navigate = useNavigate()
  const hidden = useHiddenChats()
  const searches = [named, passages, messages]
  const items = (named.data ?? []).slice(0, MOST)
  const folders = useNamesOfFolders(items.flatMap((item) => (item.kind === 'file' ? item.file.knowledge_base_id : [])))
  const asked = isSought ? (messages.data?.messages ?? []).filter(({ chat_id }) => !hidden.has(chat_id)) : []
  const toMessage =
    ({ message_id, chat_id, agent_id }: FoundMessage) =>
    async () => {
      const isHere = isTurnHere(message_id)
      const params = { agentId: agent_id, chatId: chat_id }
      await navigate({ to: '/chat/$agentId/$chatId', params, search: { message: message_id } })
      if (isHere) showTurn(message_id)
    }
  const groups = useKnownPlaces(pages, commands, search).map((group) =>
    group.id === 'chats'
      ? { ...group, places: group.places.map((place) => withMessage(place, asked, toMessage)) }
      : group,
  )
  if (isSought) {
    const files = items.map((item): Place => {
      if (item.kind === 'folder') {
        const go = () => navigate({ to: '/drive/$folderId', params: { folderId: item.id } })
        return { id: `folder-${item.id}`, icon: Folder, name: item.name, aside: t`Folder`, go }
      }
      const params = { folderId: item.file.knowledge_base_id, fileId: item.id }
      const go = () => navigate({ to: '/drive/$folderId/$fileId', params })
      return { id: `file-${item.id}`, icon: FileText, name: item.name, aside: folders.get(params.folderId), go }
    })
    const said = (passages.data ?? []).slice(0, MOST).map(({ data_source_id, title, location, text }, index): Place => {
      const search = citationPosition({ location, text }, findCitedRows(text, settled))
      return {
        id: `passage-${data_source_id}-${index}`,
        icon: Search,
        name: title,
        aside: formatLocation(location),
        says: excerptOf(readableLine(text, settled), settled),
        go: () => navigate({ to: '/drive/file/$fileId', params: { fileId: data_source_id }, search }),
      }
    })
    // A chat that is found by its title is listed once.
    const listed = new Set(groups.flatMap(({ places }) => places.map(({ id }) => id)))
    const others = asked
      .filter(({ chat_id }) => !listed.has(chat_id))
      .map(
        (message): Place => ({
          id: `message-${message.message_id}`,
          icon: MessageSquare,
          name: message.title,
          aside: formatTime(message.created_at),
          says: beyondTitle(message),
          go: toMessage(message),
        }),
      )
    groups.push(
      { id: 'files', name: t`Files and folders`, places: files },
      { id: 'passages', name: t`In the documents`, places: said },
      { id: 'messages', name: t`In your chats`, places: others },
    )
  }
  return {
    groups: groups.filter(({ places }) => places.length > 0),
    isSearching: isSought && (settled !== search || searches.some(({ isFetching }) => isFetching)),
    error: isSought ? (searches.find(({ error }) => error)?.error ?? null) : null,
  }
}

/** Names of folders by id, as far as they are known: files of one name are told apart by them. */
function useNamesOfFolders(ids: string[]): ReadonlyMap<string, string> {
  return useQueries({
    queries: [...new Set(ids)].map((id) => ({ ...folderById(id), staleTime: 30_000 })),
    combine: (found) => new Map(found.flatMap(({ data }) => (data ? [[data._id, data.name] as const] : []))),
  })
}

/** A chat that opens where it says what is searched, if a message of it was found. */
function withMessage(place: Place, asked: FoundMessage[], go: (message: FoundMessage) => Place['go']): Place {
  const message = asked.find(({ chat_id }) => chat_id === place.id)
  if (!message) return place
  return { ...place, says: beyondTitle(message), go: go(message) }
}

/** Text that was found; undefined where it is the title, which is above it. */
const beyondTitle = ({ title, snippet }: FoundMessage): string | undefined =>
  snippet.startsWith(title.replace(/…$/, '')) ? undefined : snippet

const ownLists = (navigate: ReturnType<typeof useNavigate>): Place[] => [
  {
    id: 'archived-chats',
    icon: Archive,
    name: t`Archived chats`,
    go: () => navigate({ to: '/chats', search: { show: 'archived' } }),
  },
  {
    id: 'pinned-answers',
    icon: Pin,
    name: t`Pinned answers`,
    go: () => navigate({ to: '/chats', search: { show: 'pins' } }),
  },
]

const newAgent = (navigate: ReturnType<typeof useNavigate>): Place => ({
  id: 'new-agent',
  icon: Bot,
  name: t`New agent`,
  go: () => navigate({ to: '/agents/new' }),
})

/** Places that are known by their names: chats of the agent, projects, agents and pages. */
function useKnownPlaces(pages: Page[], commands: Place[], search: string): PlaceGroup[] {
  const navigate = useNavigate()
  const mayMake = useMay('manage_agents')
  const { data: agents = [] } = useAgents()
  const open = useParams({ strict: false })
  const agentId = open.agentId ?? lastAgentId() ?? agents[0]?.id ?? ''
  const { data: chats = [] } = useChats(agentId, useDebounced(search), agentId !== '')
  const { data: projects = [] } = useProjects()
  const hidden = useHiddenChats()
  const holds = (name: string) => name.toLowerCase().includes(search.toLowerCase())
  const newChat = (id: string) => () => navigate({ to: '/chat/$agentId', params: { agentId: id } })
  const begun = chats
    .filter(({ id, title }) => !hidden.has(id) && holds(title))
    .slice(0, MOST)
    .map(({ id, title, created_at }) => ({
      id,
      icon: MessageSquare,
      name: title,
      aside: formatTime(created_at),
      go: () => navigate({ to: '/chat/$agentId/$chatId', params: { agentId, chatId: id } }),
    }))
  const fresh = { id: 'new', icon: MessageSquarePlus, name: t`New chat`, go: newChat(agentId) }
  return [
    { id: 'chats', name: t`Chats`, places: agentId && holds(fresh.name) ? [fresh, ...begun] : begun },
    {
      id: 'projects',
      name: t`Projects`,
      places: projects
        .filter(({ name }) => holds(name))
        .slice(0, MOST)
        .map(({ id, name }) => ({
          id,
          icon: FolderKanban,
          name,
          go: () => navigate({ to: '/projects/$projectId', params: { projectId: id } }),
        })),
    },
    {
      id: 'agents',
      name: t`Agents`,
      places: agents
        .filter(({ id, name }) => id !== agentId && holds(name))
        .slice(0, MOST)
        .map(({ id, name }) => ({ id, icon: Bot, name, go: newChat(id) })),
    },
    {
      id: 'pages',
      name: t`Pages`,
      places: [
        ...pages.map(({ to, name, icon }) => ({ id: to.slice(1), icon, name, go: () => navigate({ to }) })),
        { id: 'all-chats', icon: MessageSquare, name: t`All chats`, go: () => navigate({ to: '/chats' }) },
        ...ownLists(navigate),
        ...(mayMake ? [newAgent(navigate)] : []),
        ...commands,
      ].filter(({ name }) => search !== '' && holds(name)),
    },
  ]
}
