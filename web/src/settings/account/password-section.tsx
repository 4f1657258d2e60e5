import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { changePassword, queryClient, SecretField } from '../../access/access.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { SettingSection } from '../setting-section.tsx'

/** Change of the password. */
export function PasswordSection() {
  const [isOpen, setOpen] = useState(false)
  return (
    <SettingSection
      title={t`Password`}
      about={t`A new one signs all other browsers out and disconnects your apps.`}
      actions={
        <Button onClick={() => setOpen(true)}>
          <Trans>Change the password</Trans>
        </Button>
      }
    >
      {isOpen && <PasswordDialog onClose={() => setOpen(false)} />}
    </SettingSection>
  )
}

function PasswordDialog({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState('')
  const [next, setNext] = useState('')
  const saving = useMutation({
    mutationFn: () => changePassword(password, next),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: ['account', 'sessions'] })
      toast(t`Password changed`)
      onClose()
    },
  })
  return (
    <FormDialog
      title={t`Change the password`}
      saving={saving}
      save={t`Change`}
      isDisabled={!password || !next}
      onSave={() => saving.mutate()}
      onClose={onClose}
    >
      <SecretField
        label={t`Password until now`}
        autoComplete="current-password"
        autoFocus
        maxLength={200}
        value={password}
        onChange={setPassword}
      />
      <SecretField
        label={t`New password`}
        hint={t`At least 8 characters that are hard to guess: three or four words work well.`}
        autoComplete="new-password"
        minLength={8}
        maxLength={200}
        value={next}
        onChange={setNext}
      />
    </FormDialog>
  )
}
