import type { TwoFactorSecret } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { CodeField, SecretField } from '../../../access/access.ts'
import { Spinner } from '../../../ui/controls/button.tsx'
import { CopyBox } from '../../../ui/controls/copy-button.tsx'
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx'
import { beginTwoFactor, confirmTwoFactor } from './two-factor.queries.ts'

const QrCode = lazy(() => import('./qr-code.tsx'))

interface TwoFactorDialogProps {
  /** Called with the recovery codes. */
  onConfirmed: (codes: string[]) => void
  onClose: () => void
}

/** Set-up of an authenticator app: the password first, then the QR code and a first code of the app. */
export function TwoFactorDialog({ onConfirmed, onClose }: TwoFactorDialogProps) {
  const [password, setPassword] = useState('')
  const beginning = useMutation({ mutationFn: () => beginTwoFactor(password) })
  if (beginning.data) return <ScanDialog made={beginning.data} onConfirmed={onConfirmed} onClose={onClose} />
  return (
    <FormDialog
      title={t`Set up a second factor`}
      saving={beginning}
      save={t`Next`}
      isDisabled={!password}
      onSave={() => beginning.mutate()}
      onClose={onClose}
    >
      <SecretField
        label={t`Password`}
        autoComplete="current-password"
        autoFocus
        maxLength={200}
        value={password}
        onChange={setPassword}
      />
    </FormDialog>
  )
}

function ScanDialog({ made, onConfirmed, onClose }: TwoFactorDialogProps & { made: TwoFactorSecret }) {
  const [code, setCode] = useState('')
  const confirming = useMutation({
    mutationFn: () => confirmTwoFactor(code.trim()),
    onSuccess(codes) {
      onConfirmed(codes)
      onClose()
    },
  })
  return (
    <FormDialog
      title={t`Scan with your authenticator app`}
      saving={confirming}
      save={t`Turn on`}
      isDisabled={!code.trim()}
      onSave={() => confirming.mutate()}
      onClose={onClose}
    >
      <div className="flex min-h-52 justify-center">
        <Suspense fallback={<Spinner label={t`Drawing the code`} />}>
          <QrCode text={made.uri} label={t`QR code for the app`} />
        </Suspense>
      </div>
      <p className="text-muted text-pretty">
        <Trans>No camera? Type this secret into the app:</Trans>
      </p>
      <CopyBox label={t`Secret`} text={made.secret} />
      <CodeField
        label={t`Code that the app shows`}
        hint={t`All your other browsers are signed out then.`}
        value={code}
        onChange={setCode}
      />
    </FormDialog>
  )
}
