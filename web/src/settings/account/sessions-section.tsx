import type { AccountSession } from '@docent/sdk'
import { useState } from 'react'
import { explain } from '../../platform/errors.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Time } from '../../ui/data/time.tsx'
import { LogOut } from '../../ui/icons.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { ConfirmDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { SettingSection } from '../setting-section.tsx'
import { endOtherSessions, endSession, useSessions } from './account.queries.ts'
import { browserInWords } from './browser-in-words.ts'

/** Browsers that are signed in to the account. */
export function SessionsSection() {
  const { data, error, refetch } = useSessions()
  const [ending, setEnding] = useState<AccountSession | 'others' | null>(null)
  return (
    <SettingSection
      title="Sessions"
      about="Browsers that are signed in to your account. If you do not know one of them, sign it out and change the password."
      actions={
        (data?.sessions.length ?? 0) > 1 && <Button onClick={() => setEnding('others')}>Sign all others out</Button>
      }
    >
      {error && <Notice action={<Button onClick={() => refetch()}>Try again</Button>}>{explain(error)}</Notice>}
      {data && <Table label="Sessions" columns={columns(setEnding)} rows={data.sessions} rowKey={({ id }) => id} />}
      {ending && (
        <ConfirmDialog
          title={ending === 'others' ? 'Sign all other browsers out?' : 'Sign this browser out?'}
          confirm="Sign out"
          act={() => (ending === 'others' ? endOtherSessions() : endSession(ending))}
          onClose={() => setEnding(null)}
        >
          {ending === 'others'
            ? 'Only this browser stays signed in.'
            : `${browserInWords(ending.user_agent)}, ${ending.address ?? 'unknown address'}.`}
        </ConfirmDialog>
      )}
    </SettingSection>
  )
}

const columns = (onEnd: (session: AccountSession) => void): Column<AccountSession>[] => [
  {
    key: 'browser',
    header: 'Browser',
    className: 'min-w-44',
    cell: ({ user_agent, is_current }) => (
      <>
        <span className="font-medium">{browserInWords(user_agent)}</span>
        {is_current && <span className="ms-2 text-sm text-accent">this browser</span>}
      </>
    ),
  },
  { key: 'address', header: 'Address', cell: ({ address }) => <span className="font-mono text-sm">{address}</span> },
  { key: 'created', header: 'Signed in', cell: ({ created_at }) => <Time iso={created_at} /> },
  { key: 'used', header: 'Last used', cell: ({ last_used_at }) => <Time iso={last_used_at} /> },
  {
    key: 'actions',
    header: <span className="sr-only">Actions</span>,
    className: 'w-px',
    cell: (session) =>
      session.is_current ? null : (
        <IconButton
          label={`Sign out ${browserInWords(session.user_agent)}`}
          icon={LogOut}
          onClick={() => onEnd(session)}
        />
      ),
  },
]
