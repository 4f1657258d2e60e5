import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { CodeField, SecretField } from '../../access/access.ts'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'

interface ProofDialogProps {
  title: string
  about: string
  save: string
  onProof: (proof: { password: string; code: string }) => Promise<void>
  onClose: () => void
}

/** Dialog that asks for the password and a code, for a change of the second factor. */
export function ProofDialog({ title, about, save, onProof, onClose }: ProofDialogProps) {
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const saving = useMutation({ mutationFn: () => onProof({ password, code }), onSuccess: onClose })
  return (
    <FormDialog
      title={title}
      saving={saving}
      save={save}
      isDisabled={!password || !code}
      onSave={() => saving.mutate()}
      onClose={onClose}
    >
      <p className="text-muted text-pretty">{about}</p>
      <SecretField
        label={t`Password`}
        autoComplete="current-password"
        maxLength={200}
        value={password}
        onChange={setPassword}
      />
      <CodeField label={t`Code`} hint={t`Of the app, or a recovery code.`} isRecovery value={code} onChange={setCode} />
    </FormDialog>
  )
}
