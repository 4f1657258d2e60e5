import type { Account, Passkey } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { CodeField, SecretField } from '../../../access/access.ts'
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx'
import { KeyNameField } from '../../keys/key-fields.tsx'
import { browserInWords } from '../browser-in-words.ts'
import { addPasskey, needsPasskey, removePasskey, type TypedProof } from './passkeys.queries.ts'

interface ProofFieldsProps {
  account: Account
  proof: TypedProof
  onChange: (proof: TypedProof) => void
}

/** Fields for what the server asks for before passkeys change. */
const ProofFields = ({ account, proof, onChange }: ProofFieldsProps) => (
  <>
    {account.has_password && (
      <SecretField
        label={t`Password`}
        autoComplete="current-password"
        maxLength={200}
        value={proof.password}
        onChange={(password) => onChange({ ...proof, password })}
      />
    )}
    {account.has_password && account.two_factor && (
      <CodeField
        label={t`Code`}
        hint={t`Of the app, or a recovery code.`}
        isRecovery
        value={proof.code}
        onChange={(code) => onChange({ ...proof, code })}
      />
    )}
    {needsPasskey(account) && (
      <p className="text-muted text-pretty">
        <Trans>Your browser then asks for one of the passkeys that you have.</Trans>
      </p>
    )}
  </>
)

const NOTHING_TYPED: TypedProof = { password: '', code: '' }

/** Adds a passkey. @param onAdded called before the dialog closes */
export function AddPasskey({
  account,
  onAdded,
  onClose,
}: {
  account: Account
  onAdded?: () => void
  onClose: () => void
}) {
  const [name, setName] = useState(() => browserInWords(navigator.userAgent))
  const [proof, setProof] = useState(NOTHING_TYPED)
  const adding = useMutation({
    mutationFn: () => addPasskey(account, { name: name.trim(), ...proof }),
    onSuccess() {
      onAdded?.()
      onClose()
    },
  })
  return (
    <FormDialog
      title={t`Add a passkey`}
      saving={adding}
      save={t`Add`}
      isDisabled={!name.trim() || (account.has_password && !proof.password)}
      onSave={() => adding.mutate()}
      onClose={onClose}
    >
      <KeyNameField hint={t`Of the device or password manager that keeps it.`} name={name} onChange={setName} />
      <ProofFields account={account} proof={proof} onChange={setProof} />
    </FormDialog>
  )
}

/** Removes a passkey. */
export function RemovePasskey({
  account,
  passkey,
  onClose,
}: {
  account: Account
  passkey: Passkey
  onClose: () => void
}) {
  const [proof, setProof] = useState(NOTHING_TYPED)
  const removing = useMutation({ mutationFn: () => removePasskey(account, passkey, proof), onSuccess: onClose })
  return (
    <FormDialog
      title={t`Remove the passkey “${passkey.name}”?`}
      saving={removing}
      save={t`Remove`}
      isDisabled={account.has_password && !proof.password}
      onSave={() => removing.mutate()}
      onClose={onClose}
    >
      <p className="text-muted text-pretty">
        <Trans>It no longer signs you in. Remove it from the device or password manager, too.</Trans>
      </p>
      <ProofFields account={account} proof={proof} onChange={setProof} />
    </FormDialog>
  )
}
