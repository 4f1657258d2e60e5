import { Link } from '@tanstack/react-router'
import { buttonClass } from './ui/controls/button.tsx'
import { Search } from './ui/icons.ts'
import { PageHeader } from './ui/layout/page-header.tsx'
import { EmptyState } from './ui/notices/empty-state.tsx'

/** Page of an address that leads nowhere. */
export const NotFound = () => (
  <>
    <PageHeader title="There is no such page" />
    <EmptyState
      icon={Search}
      title="Nothing is at this address"
      action={
        <Link to="/" className={buttonClass('primary')}>
          To the chats
        </Link>
      }
    >
      It may have been cut short, or what was there was deleted.
    </EmptyState>
  </>
)
