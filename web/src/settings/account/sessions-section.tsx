import type { AccountSession } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { ActionsHeader } from '../../ui/data/actions-header.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Time } from '../../ui/data/time.tsx'
import { LogOut } from '../../ui/icons.ts'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { ConfirmDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { SettingSection } from '../setting-section.tsx'
import { endOtherSessions, endSession, useSessions } from './account.queries.ts'
import { browserInWords } from './browser-in-words.ts'

/** Browsers that are signed in to the account. */
export function SessionsSection() {
  const { data, error, isLoading, refetch } = useSessions()
  const [ending, setEnding] = useState<AccountSession | 'others' | null>(null)
  return (
    <SettingSection
      title={t`Sessions`}
      isWaiting={isLoading}
      about={t`Browsers that are signed in to your account. If you do not know one of them, sign it out and change the password.`}
      actions={
        (data?.sessions.length ?? 0) > 1 && (
          <Button onClick={() => setEnding('others')}>
            <Trans>Sign all others out</Trans>
          </Button>
        )
      }
    >
      {error && <ReadProblem error={error} onRetry={refetch} />}
      {data && <Table label={t`Sessions`} columns={columns(setEnding)} rows={data.sessions} rowKey={({ id }) => id} />}
      {ending && (
        <ConfirmDialog
          title={ending === 'others' ? t`Sign all other browsers out?` : t`Sign this browser out?`}
          confirm={t`Sign out`}
          act={() => (ending === 'others' ? endOtherSessions() : endSession(ending))}
          onClose={() => setEnding(null)}
        >
          {ending === 'others'
            ? t`Only this browser stays signed in, and apps that you connected are disconnected.`
            : `${browserInWords(ending.user_agent)}, ${ending.address ?? t`unknown address`}.`}
        </ConfirmDialog>
      )}
    </SettingSection>
  )
}

const columns = (onEnd: (session: AccountSession) => void): Column<AccountSession>[] => [
  {
    key: 'browser',
    header: t`Browser`,
    className: 'min-w-44',
    cell: ({ user_agent, is_current }) => (
      <>
        <span className="font-medium">{browserInWords(user_agent)}</span>
        {is_current && (
          <span className="ms-2 text-sm text-accent">
            <Trans>this browser</Trans>
          </span>
        )}
      </>
    ),
  },
  { key: 'address', header: t`Address`, cell: ({ address }) => <span className="font-mono text-sm">{address}</span> },
  { key: 'created', header: t`Signed in`, cell: ({ created_at }) => <Time iso={created_at} /> },
  { key: 'used', header: t`Last used`, cell: ({ last_used_at }) => <Time iso={last_used_at} /> },
  {
    key: 'actions',
    header: <ActionsHeader />,
    className: 'w-px',
    cell: (session) =>
      session.is_current ? null : (
        <IconButton
          label={t`Sign out ${browserInWords(session.user_agent)}`}
          icon={LogOut}
          onClick={() => onEnd(session)}
        />
      ),
  },
]
