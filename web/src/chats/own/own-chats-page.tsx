import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useDebounced } from '../../platform/state/use-debounced.ts'
import { SearchBox } from '../../ui/controls/search-box.tsx'
import { Tabs, tabClass } from '../../ui/controls/tabs.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { ShareList } from '../shared/share-list.tsx'
import { OwnChatList } from './own-chat-list.tsx'
import { PinList } from './pin-list.tsx'

/** Own chats with all agents, the archived ones apart, and all pinned answers. */
export function OwnChatsPage() {
  const show = useSearch({ strict: false, select: ({ show }) => show })
  const [search, setSearch] = useState('')
  const settled = useDebounced(search.trim())
  return (
    <>
      <PageHeader
        title={t`All chats`}
        actions={
          show !== 'pins' &&
          show !== 'shared' && (
            <SearchBox label={t`Search the chats`} value={search} onChange={setSearch} className="w-60" />
          )
        }
      />
      <Tabs label={t`Lists of chats`}>
        <Tab>
          <Trans>Chats</Trans>
        </Tab>
        <Tab show="archived">
          <Trans>Archived</Trans>
        </Tab>
        <Tab show="pins">
          <Trans>Pinned answers</Trans>
        </Tab>
        <Tab show="shared">
          <Trans>Shared chats</Trans>
        </Tab>
      </Tabs>
      <div className="min-h-0 flex-1 overflow-y-auto scroll-quiet p-4 sm:p-6">
        {show === 'pins' ? (
          <PinList />
        ) : show === 'shared' ? (
          <ShareList />
        ) : (
          <OwnChatList key={show ?? 'chats'} isArchived={show === 'archived'} search={settled} />
        )}
      </div>
    </>
  )
}

interface TabProps {
  show?: 'archived' | 'pins' | 'shared'
  children: ReactNode
}

const Tab = ({ show, children }: TabProps) => (
  <Link
    to="/chats"
    search={show ? { show } : {}}
    activeOptions={{ exact: true, includeSearch: true }}
    className={tabClass}
  >
    {children}
  </Link>
)
