import type { Chat } from '@docent/sdk'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmDialog, NameDialog } from '../ui/ask-dialogs.tsx'
import { IconButton } from '../ui/button.tsx'
import { Ellipsis, Pencil, Trash2 } from '../ui/icons.ts'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { deleteChat, renameChat } from './chats.queries.ts'

/** What can be done with a chat. */
export function ChatMenu({ chat, isOpen }: { chat: Chat; isOpen: boolean }) {
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null)
  const navigate = useNavigate()
  const path = { agentId: chat.agent_id, chatId: chat.id }
  const close = () => setDialog(null)
  return (
    <>
      <Menu
        label={`Actions for ${chat.title}`}
        trigger={(props) => <IconButton {...props} label={`Actions for ${chat.title}`} icon={Ellipsis} />}
      >
        <MenuItem icon={Pencil} onSelect={() => setDialog('rename')}>
          Rename…
        </MenuItem>
        <MenuItem icon={Trash2} isDangerous onSelect={() => setDialog('delete')}>
          Delete…
        </MenuItem>
      </Menu>
      {dialog === 'rename' && (
        <NameDialog
          title="Rename the chat"
          label="Title"
          initial={chat.title}
          confirm="Rename"
          act={(title) => renameChat(path, title)}
          onClose={close}
        />
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title="Delete this chat?"
          confirm="Delete"
          act={async () => {
            if (isOpen) await navigate({ to: '/chat/$agentId', params: { agentId: chat.agent_id } })
            await deleteChat(path)
          }}
          onClose={close}
        >
          “{chat.title}” is deleted with all its questions and answers, for good.
        </ConfirmDialog>
      )}
    </>
  )
}
