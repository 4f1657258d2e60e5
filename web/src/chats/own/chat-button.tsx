import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../ui/controls/button.tsx'
import { MessageSquarePlus } from '../../ui/icons.ts'

/** Way out of an empty list of chats: to a new one. */
export const ChatButton = () => (
  <Link to="/chat" className={buttonClass('primary')}>
    <MessageSquarePlus size={16} aria-hidden />
    <Trans>New chat</Trans>
  </Link>
)
