import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../../ui/controls/button.tsx'
import { Search } from '../../ui/icons.ts'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'

/** Page of an address that leads nowhere. */
export const NotFound = () => (
  <>
    <PageHeader title={t`There is no such page`} />
    <EmptyState
      icon={Search}
      title={t`Nothing is at this address`}
      action={
        <Link to="/" className={buttonClass('primary')}>
          <Trans>To the chats</Trans>
        </Link>
      }
    >
      <Trans>It may have been cut short, or what was there was deleted.</Trans>
    </EmptyState>
  </>
)
