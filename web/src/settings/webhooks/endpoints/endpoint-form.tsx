import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useWorkspaceId } from '../../../access/access.ts'
import { Checkbox } from '../../../ui/fields/checkbox.tsx'
import { Field, Input } from '../../../ui/fields/field.tsx'
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx'
import { createEndpoint, updateEndpoint } from './endpoints.queries.ts'
import { type ChosenType, eventTypes } from './event-words.ts'

interface EndpointFormProps {
  /** Endpoint to edit; null to add one. */
  endpoint: WebhookEndpoint | null
  onMade: (endpoint: WebhookEndpointWithSecret) => void
  onClose: () => void
}

/** Form of an endpoint: its address and the types of its events. */
export function EndpointForm({ endpoint, onMade, onClose }: EndpointFormProps) {
  const workspaceId = useWorkspaceId()
  const id = useId()
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [description, setDescription] = useState(endpoint?.description ?? '')
  const [types, setTypes] = useState<ChosenType[]>(endpoint?.event_types ?? [])
  const saving = useMutation({
    mutationFn: async () => {
      const fields = { url: url.trim(), description: description.trim(), event_types: types }
      if (!endpoint) return createEndpoint(workspaceId, fields)
      await updateEndpoint(workspaceId, endpoint.id, fields)
      return undefined
    },
    onSuccess: (made) => (made ? onMade(made) : onClose()),
  })
  const toggle = (type: ChosenType) =>
    setTypes((all) => (all.includes(type) ? all.filter((one) => one !== type) : [...all, type]))
  return (
    <FormDialog
      title={endpoint ? t`Change the endpoint` : t`New endpoint`}
      width="wide"
      onClose={onClose}
      saving={saving}
      save={endpoint ? t`Save` : t`Add`}
      isDisabled={types.length === 0}
      onSave={() => saving.mutate()}
    >
      <Field label={t`URL`} hint={t`Every event is sent there as a signed POST with JSON.`}>
        {(control) => (
          <Input
            {...control}
            type="url"
            required
            maxLength={2048}
            dir="ltr"
            value={url}
            onChange={({ target }) => setUrl(target.value)}
          />
        )}
      </Field>
      <Field label={t`Description`}>
        {(control) => (
          <Input
            {...control}
            maxLength={256}
            value={description}
            onChange={({ target }) => setDescription(target.value)}
          />
        )}
      </Field>
      <fieldset>
        <legend className="mb-1.5 font-medium">
          <Trans>Events</Trans>
        </legend>
        {Object.entries(eventTypes()).map(([type, name]) => (
          <div key={type} className="flex items-center gap-2 py-1">
            <Checkbox
              id={`${id}-${type}`}
              checked={types.includes(type as ChosenType)}
              onChange={() => toggle(type as ChosenType)}
            />
            <label htmlFor={`${id}-${type}`}>
              {name} <code className="ms-1 text-sm text-muted">{type}</code>
            </label>
          </div>
        ))}
      </fieldset>
    </FormDialog>
  )
}
