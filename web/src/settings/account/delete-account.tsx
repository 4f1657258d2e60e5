import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteAccount, SecretField } from '../../access/access.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { SettingSection } from '../setting-section.tsx'

/** Deletion of the account, which asks for the password. */
export function DeleteAccountSection() {
  const [isOpen, setOpen] = useState(false)
  const [password, setPassword] = useState('')
  const deleting = useMutation({ mutationFn: () => deleteAccount(password) })
  return (
    <SettingSection
      title={t`Delete the account`}
      about={t`Your memberships, personal keys and sessions end. Folders, agents and chats stay in their workspaces.`}
      actions={
        <Button onClick={() => setOpen(true)}>
          <Trans>Delete the account</Trans>
        </Button>
      }
    >
      {isOpen && (
        <FormDialog
          title={t`Delete your account?`}
          saving={deleting}
          save={t`Delete for good`}
          isDisabled={!password}
          onSave={() => deleting.mutate()}
          onClose={() => setOpen(false)}
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
      )}
    </SettingSection>
  )
}
