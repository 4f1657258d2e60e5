import type { Chat } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { explain } from '../../platform/errors.ts'
import { withMessages } from '../../platform/language.ts'
import { IconButton } from '../../ui/controls/button.tsx'
import {
  Archive,
  ArchiveRestore,
  Braces,
  Download,
  Ellipsis,
  FileText,
  FolderKanban,
  Pencil,
  Pin,
  PinOff,
  Share2,
  Trash2,
} from '../../ui/icons.ts'
import { later } from '../../ui/later.tsx'
import { NameDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { Menu, MenuItem } from '../../ui/overlays/menu.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import { putAway, renameChat } from '../chats.queries.ts'
import { deleteSoon } from './chat-deletions.ts'

const MoveChat = later(async () => (await withMessages('projects', () => import('../projects.pages.ts'))).MoveChat)
const ShareDialog = later(async () => (await withMessages('own', () => import('../own.pages.ts'))).ShareDialog)
const PinsDialog = later(async () => (await import('./pins-dialog.tsx')).PinsDialog)

/** Menu of a chat's actions. */
export function ChatMenu({ chat, isOpen }: { chat: Chat; isOpen: boolean }) {
  const [isRenaming, setRenaming] = useState(false)
  const [isListing, setListing] = useState(false)
  const [isSharing, setSharing] = useState(false)
  const [isMoving, setMoving] = useState(false)
  const navigate = useNavigate()
  const path = { agentId: chat.agent_id, chatId: chat.id }
  async function remove() {
    deleteSoon(chat)
    if (isOpen) await navigate({ to: '/chat/$agentId', params: { agentId: chat.agent_id } })
  }
  async function setPutAway(change: Parameters<typeof putAway>[1]) {
    try {
      await putAway(path, change)
      if (change.is_archived)
        toast(t`“${chat.title}” archived`, {
          action: { label: t`Undo`, run: () => unawaited(setPutAway({ is_archived: false })) },
        })
    } catch (error) {
      toast(explain(error), { isError: true })
    }
  }
  async function save(format: 'md' | 'pdf' | 'json') {
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
        label={t`Actions for ${chat.title}`}
        trigger={(props) => <IconButton {...props} label={t`Actions for ${chat.title}`} icon={Ellipsis} />}
      >
        {isOpen && (
          <MenuItem icon={Pin} onSelect={() => setListing(true)}>
            <Trans>Pinned answers…</Trans>
          </MenuItem>
        )}
        <MenuItem icon={chat.is_pinned ? PinOff : Pin} onSelect={() => setPutAway({ is_pinned: !chat.is_pinned })}>
          {chat.is_pinned ? <Trans>Unpin</Trans> : <Trans>Pin</Trans>}
        </MenuItem>
        <MenuItem icon={Pencil} onSelect={() => setRenaming(true)}>
          <Trans>Rename…</Trans>
        </MenuItem>
        <MenuItem icon={Share2} onSelect={() => setSharing(true)}>
          <Trans>Share…</Trans>
        </MenuItem>
        <MenuItem icon={FolderKanban} onSelect={() => setMoving(true)}>
          <Trans>Move to project…</Trans>
        </MenuItem>
        <MenuItem
          icon={chat.is_archived ? ArchiveRestore : Archive}
          onSelect={() => setPutAway({ is_archived: !chat.is_archived })}
        >
          {chat.is_archived ? <Trans>Bring back</Trans> : <Trans>Archive</Trans>}
        </MenuItem>
        <MenuItem icon={Download} onSelect={() => save('md')}>
          <Trans>Save as Markdown</Trans>
        </MenuItem>
        <MenuItem icon={FileText} onSelect={() => save('pdf')}>
          <Trans>Save as PDF</Trans>
        </MenuItem>
        <MenuItem icon={Braces} onSelect={() => save('json')}>
          <Trans>Save as JSON</Trans>
        </MenuItem>
        <MenuItem icon={Trash2} isDangerous onSelect={remove}>
          <Trans>Delete</Trans>
        </MenuItem>
      </Menu>
      {isListing && <PinsDialog path={path} onClose={() => setListing(false)} />}
      {isSharing && <ShareDialog chat={chat} onClose={() => setSharing(false)} />}
      {isMoving && <MoveChat chat={chat} onClose={() => setMoving(false)} />}
      {isRenaming && (
        <NameDialog
          title={t`Rename the chat`}
          label={t`Title`}
          initial={chat.title}
          confirm={t`Rename`}
          act={(title) => renameChat(path, title)}
          onClose={() => setRenaming(false)}
        />
      )}
    </>
  )
}
