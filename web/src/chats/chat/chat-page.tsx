import { Trans } from '@lingui/react/macro'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useAgent } from '../../agents/agents.ts'
import { isMissing } from '../../platform/errors.ts'
import { MessageSquarePlus } from '../../ui/icons.ts'
import { SidebarContent } from '../../ui/layout/sidebar-slot.tsx'
import { AgentPicker } from '../start/agent-picker.tsx'
import { preloadMarkdown } from '../text/rich-text.tsx'
import { ChatList } from './chat-list.tsx'

/** Sidebar content of the chats section, around the open chat. */
export function ChatPage() {
  const { agentId, chatId } = useParams({ strict: false })
  // A chat that has begun shows answers at once.
  useEffect(() => {
    if (chatId) preloadMarkdown()
  }, [chatId])
  return (
    <>
      {agentId && (
        <SidebarContent>
          <AgentPicker agentId={agentId} />
          <Chats agentId={agentId} openId={chatId ?? null} />
        </SidebarContent>
      )}
      <Outlet />
    </>
  )
}

/** Chats of the agent; empty for an agent that does not exist, as the page says. */
function Chats({ agentId, openId }: { agentId: string; openId: string | null }) {
  const { error } = useAgent(agentId)
  if (isMissing(error)) return null
  return (
    <>
      <Link
        to="/chat/$agentId"
        params={{ agentId }}
        className="mt-2 mb-3 flex h-9 shrink-0 items-center justify-center gap-2 rounded-control border border-line bg-raised font-medium transition-colors hover:border-line-strong pointer-coarse:h-11"
      >
        <MessageSquarePlus size={16} aria-hidden />
        <Trans>New chat</Trans>
      </Link>
      <ChatList key={agentId} agentId={agentId} openId={openId} />
    </>
  )
}
