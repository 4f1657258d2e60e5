import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { docent } from '../access/access.ts'
import { IconButton } from '../ui/controls/button.tsx'
import { MessageSquare } from '../ui/icons.ts'
import { Menu, MenuItem } from '../ui/overlays/menu.tsx'

interface EarlierChatsProps {
  agentId: string
  openId: string | null
  onOpen: (chatId: string) => void
}

/** Earlier questions of this visitor in this tab, newest first. */
export function EarlierChats({ agentId, openId, onOpen }: EarlierChatsProps) {
  const { data: chats = [] } = useQuery({
    queryKey: ['own-chats', agentId, openId],
    queryFn: async () => (await docent().chats.list(agentId, { page_size: 30 })).chats,
  })
  if (chats.length === 0) return null
  return (
    <Menu
      label={t`Earlier chats`}
      className="max-w-80"
      trigger={(props) => <IconButton {...props} label={t`Earlier chats`} icon={MessageSquare} />}
    >
      {chats.map(({ id, title }) => (
        <MenuItem key={id} isChecked={id === openId} onSelect={() => onOpen(id)}>
          <span className="block truncate">{title}</span>
        </MenuItem>
      ))}
    </Menu>
  )
}
