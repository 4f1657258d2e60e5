import { Link } from '@tanstack/react-router'
import { buttonClass } from './ui/controls/button.tsx'
import { Search } from './ui/icons.ts'
import { EmptyState } from './ui/notices/empty-state.tsx'

export const NotFound = () => (
  <EmptyState
    icon={Search}
    title="There is no such page"
    action={
      <Link to="/" className={buttonClass('primary')}>
        To the chats
      </Link>
    }
  >
    The address may have been cut short.
  </EmptyState>
)
