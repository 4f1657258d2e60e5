import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { chooseWorkspace, signInOptions, signOut, useAccount, useMe } from '../../../access/access.ts'
import { explain } from '../../../platform/errors.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { ShieldCheck } from '../../../ui/icons.ts'
import { Wordmark } from '../../../ui/layout/wordmark.tsx'
import { EmptyState } from '../../../ui/notices/empty-state.tsx'
import { toast } from '../../../ui/overlays/toasts.tsx'
import { AddPasskey } from '../passkeys/passkey-dialogs.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TwoFactorDialog } from './two-factor-dialog.tsx'

interface SecondFactorNeededProps {
  /** Called when the set-up begins: until `onDone` the page must stay. */
  onBegin: () => void
  onDone: () => void
}

/** Page in place of all others for a member of a workspace that demands a second factor which they have yet to set up. */
export function SecondFactorNeeded({ onBegin, onDone }: SecondFactorNeededProps) {
  const { data: me } = useMe()
  const { data: account } = useAccount(true)
  const [isOpen, setOpen] = useState(false)
  const options = useQuery(signInOptions)
  const [isAddingPasskey, setAddingPasskey] = useState(false)
  const [codes, setCodes] = useState<string[] | null>(null)
  const others = account?.memberships.filter(({ is_current }) => !is_current) ?? []
  const tell = (error: unknown) => toast(explain(error), { isError: true })
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center bg-paper px-4">
      <title>{t`Second factor – Docent`}</title>
      <h1>
        <Wordmark className="text-4xl" />
      </h1>
      <EmptyState
        icon={ShieldCheck}
        title={t`One more step to protect this workspace`}
        action={
          <div className="flex flex-col items-center gap-3">
            <Button
              variant="primary"
              onClick={() => {
                onBegin()
                setOpen(true)
              }}
            >
              <Trans>Set up a second factor</Trans>
            </Button>
            {account && options.data?.passkeys && (
              <Button
                onClick={() => {
                  onBegin()
                  setAddingPasskey(true)
                }}
              >
                <Trans>Use a passkey</Trans>
              </Button>
            )}
            {others.map(({ workspace, organization }) => (
              <Button key={workspace.id} onClick={() => chooseWorkspace(workspace.id).catch(tell)}>
                <Trans>
                  Go to {organization.name} · {workspace.name} instead
                </Trans>
              </Button>
            ))}
            <Button onClick={() => signOut().catch(tell)}>
              <Trans>Sign out</Trans>
            </Button>
          </div>
        }
      >
        <Trans>
          {me?.workspace.name ?? t`This workspace`} asks its members for a second factor: after your password, a code of
          an authenticator app on your phone
        </Trans>
        {options.data?.passkeys && t`, or a passkey`}
        <Trans>. It takes a minute.</Trans>
      </EmptyState>
      {isOpen && (
        <TwoFactorDialog
          onConfirmed={setCodes}
          onClose={() => {
            setOpen(false)
          }}
        />
      )}
      {isAddingPasskey && account && (
        <AddPasskey account={account} onAdded={onDone} onClose={() => setAddingPasskey(false)} />
      )}
      {codes && <RecoveryCodes codes={codes} onClose={onDone} />}
    </main>
  )
}
