import type { ApiKey, CreatedApiKey } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Select } from '../../ui/fields/choice.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'

const HOUR = 3_600

const OVERLAPS = [
  { seconds: 0, name: t`Ends at once` },
  { seconds: HOUR, name: t`Works for an hour` },
  { seconds: 24 * HOUR, name: t`Works for a day` },
  { seconds: 7 * 24 * HOUR, name: t`Works for a week` },
  { seconds: 30 * 24 * HOUR, name: t`Works for 30 days` },
]

interface RotateKeyProps {
  apiKey: ApiKey
  act: (overlapSeconds: number) => Promise<CreatedApiKey>
  onRotated: (key: CreatedApiKey) => void
  onClose: () => void
}

/** Asks how long the earlier secret of a key works beside the new one. */
export function RotateKey({ apiKey, act, onRotated, onClose }: RotateKeyProps) {
  const [seconds, setSeconds] = useState(24 * HOUR)
  const rotating = useMutation({ mutationFn: () => act(seconds), onSuccess: onRotated })
  return (
    <FormDialog
      title={t`New secret for “${apiKey.name}”`}
      saving={rotating}
      save={t`Make a new secret`}
      onSave={() => rotating.mutate()}
      onClose={onClose}
    >
      <p className="text-muted">
        <Trans>The key keeps its name, rights and history. Browsers that are signed in with it are signed out.</Trans>
      </p>
      <Field label={t`The secret that is in use now`} hint={t`If it may have leaked, let it end at once.`}>
        {(control) => (
          <Select {...control} value={seconds} onChange={({ target }) => setSeconds(Number(target.value))}>
            {OVERLAPS.map((one) => (
              <option key={one.seconds} value={one.seconds}>
                {one.name}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </FormDialog>
  )
}
