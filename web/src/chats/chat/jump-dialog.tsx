import { useNavigate, useParams } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { useAgents } from '../../agents/agents.ts'
import { formatTime } from '../../platform/format.ts'
import { useDebounced } from '../../platform/use-debounced.ts'
import { cx } from '../../ui/class-names.ts'
import { SearchBox } from '../../ui/controls/search-box.tsx'
import { Bot, type LucideIcon, MessageSquare, MessageSquarePlus } from '../../ui/icons.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import { useChats } from '../chats.queries.ts'
import { lastAgentId } from '../start/last-agent.ts'
import { useHiddenChats } from './chat-deletions.ts'

const MOST = 8

/** Page of the sidebar. */
export interface Page {
  to: '/chat' | '/drive' | '/agents' | '/inbox' | '/people' | '/settings'
  name: string
  icon: LucideIcon
}

interface Place {
  id: string
  icon: LucideIcon
  name: string
  aside?: string
  go: () => unknown
}

/** Dialog to go to another page, chat or agent, or a new chat, by typing a few letters. */
export function JumpDialog({ pages, onClose }: { pages: Page[]; onClose: () => void }) {
  const [search, setSearch] = useState('')
  const [at, setAt] = useState(0)
  const places = usePlaces(pages, search.trim())
  const chosen = Math.min(at, places.length - 1)

  function go({ go: leave }: Place) {
    onClose()
    unawaited(Promise.resolve(leave()).then(focusPage))
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && places.length > 0) setAt((chosen + step + places.length) % places.length)
    else if (event.key === 'Enter' && places[chosen]) go(places[chosen])
    // Escape would only clear the box.
    else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
  }
  return (
    <Dialog title="Go to" onClose={onClose} isWide>
      <SearchBox
        label="A page, a chat or an agent"
        autoFocus
        value={search}
        onChange={(text) => {
          setSearch(text)
          setAt(0)
        }}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded
        aria-controls="jump-places"
        aria-activedescendant={places[chosen] && `jump-${places[chosen].id}`}
      />
      <div
        id="jump-places"
        role="listbox"
        aria-label="Places"
        className="mt-3 max-h-[50dvh] overflow-y-auto scroll-quiet"
      >
        {places.map((place, index) => {
          const { id, icon: Icon, name, aside } = place
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the box, which keeps the focus.
            // biome-ignore lint/a11y/useFocusableInteractive: see above
            <div
              key={id}
              id={`jump-${id}`}
              role="option"
              aria-selected={index === chosen}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => go(place)}
              className={cx(
                'flex cursor-pointer items-center gap-3 rounded-control px-3 py-2 hover:bg-hover',
                index === chosen && 'bg-hover',
              )}
            >
              <Icon size={16} className="shrink-0 text-muted" aria-hidden />
              <span className="min-w-0 flex-1 truncate">{name}</span>
              {aside && <span className="shrink-0 text-sm text-muted">{aside}</span>}
            </div>
          )
        })}
      </div>
      {places.length === 0 && <p className="px-3 py-2 text-muted">No matches.</p>}
    </Dialog>
  )
}

/** Focuses the page, unless something on it has taken the focus: keys would begin at the top of the window again. */
function focusPage() {
  const isLost = document.activeElement === null || document.activeElement === document.body
  if (isLost) document.getElementById('page')?.focus()
}

function usePlaces(pages: Page[], search: string): Place[] {
  const navigate = useNavigate()
  const { data: agents = [] } = useAgents()
  const open = useParams({ strict: false })
  const agentId = open.agentId ?? lastAgentId() ?? agents[0]?.id ?? ''
  const { data: chats = [] } = useChats(agentId, useDebounced(search), agentId !== '')
  const hidden = useHiddenChats()
  const holds = (name: string) => name.toLowerCase().includes(search.toLowerCase())
  const newChat = (id: string) => () => navigate({ to: '/chat/$agentId', params: { agentId: id } })
  return [
    ...(agentId && holds('New chat')
      ? [{ id: 'new', icon: MessageSquarePlus, name: 'New chat', go: newChat(agentId) }]
      : []),
    ...chats
      .filter(({ id, title }) => !hidden.has(id) && holds(title))
      .slice(0, MOST)
      .map(({ id, title, created_at }) => ({
        id,
        icon: MessageSquare,
        name: title,
        aside: formatTime(created_at),
        go: () => navigate({ to: '/chat/$agentId/$chatId', params: { agentId, chatId: id } }),
      })),
    ...agents
      .filter(({ id, name }) => id !== agentId && holds(name))
      .slice(0, MOST)
      .map(({ id, name }) => ({ id, icon: Bot, name, aside: 'Agent', go: newChat(id) })),
    ...pages
      .filter(({ name }) => search !== '' && holds(name))
      .map(({ to, name, icon }) => ({ id: name, icon, name, aside: 'Page', go: () => navigate({ to }) })),
  ]
}
