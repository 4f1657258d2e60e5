import type { Chat } from '@docent/sdk'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { explain } from '../../platform/errors.ts'
import { IconButton } from '../../ui/controls/button.tsx'
import { Braces, Download, Ellipsis, Pencil, Pin, Trash2 } from '../../ui/icons.ts'
import { NameDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { Menu, MenuItem } from '../../ui/overlays/menu.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { renameChat } from '../chats.queries.ts'
import { deleteSoon } from './chat-deletions.ts'

const PinsDialog = lazy(async () => ({ default: (await import('./pins-dialog.tsx')).PinsDialog }))

/** Menu of a chat's actions. */
export function ChatMenu({ chat, isOpen }: { chat: Chat; isOpen: boolean }) {
  const [isRenaming, setRenaming] = useState(false)
  const [isListing, setListing] = useState(false)
  const navigate = useNavigate()
  const path = { agentId: chat.agent_id, chatId: chat.id }
  async function remove() {
    deleteSoon(chat)
    if (isOpen) await navigate({ to: '/chat/$agentId', params: { agentId: chat.agent_id } })
  }
  async function save(format: 'md' | 'json') {
    try {
      const { exportChat } = await import('./export-chat.ts')
      await exportChat(chat, format)
    } catch (error) {
      toast(explain(error), { isError: true })
    }
  }
  return (
    <>
      <Menu
        label={`Actions for ${chat.title}`}
        trigger={(props) => <IconButton {...props} label={`Actions for ${chat.title}`} icon={Ellipsis} />}
      >
        {isOpen && (
          <MenuItem icon={Pin} onSelect={() => setListing(true)}>
            Pinned answers…
          </MenuItem>
        )}
        <MenuItem icon={Pencil} onSelect={() => setRenaming(true)}>
          Rename…
        </MenuItem>
        <MenuItem icon={Download} onSelect={() => save('md')}>
          Save as Markdown
        </MenuItem>
        <MenuItem icon={Braces} onSelect={() => save('json')}>
          Save as JSON
        </MenuItem>
        <MenuItem icon={Trash2} isDangerous onSelect={remove}>
          Delete
        </MenuItem>
      </Menu>
      {isListing && (
        <Suspense>
          <PinsDialog path={path} onClose={() => setListing(false)} />
        </Suspense>
      )}
      {isRenaming && (
        <NameDialog
          title="Rename the chat"
          label="Title"
          initial={chat.title}
          confirm="Rename"
          act={(title) => renameChat(path, title)}
          onClose={() => setRenaming(false)}
        />
      )}
    </>
  )
}
