import { Link } from '@tanstack/react-router'
import { buttonClass } from './ui/button.tsx'
import { EmptyState } from './ui/empty-state.tsx'
import { Search } from './ui/icons.ts'

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
