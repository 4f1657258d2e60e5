import type { PutWebSearch, TestedWebSearch, WebSearchSettings } from '@docent/sdk'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspaceId } from '../../../access/access.ts'
import { explain, fieldErrors } from '../../../platform/errors.ts'
import { formatDuration } from '../../../platform/format.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Select } from '../../../ui/fields/choice.tsx'
import { Field } from '../../../ui/fields/field.tsx'
import { AddressField, KeyField } from '../../../ui/fields/vendor-fields.tsx'
import { Badge } from '../../../ui/notices/badge.tsx'
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx'
import { putWebSearch, removeWebSearch, testWebSearch } from './web-search.queries.ts'

type Kind = WebSearchSettings['kind']

/** Providers, with where their keys come from. SearXNG has no address of a vendor's. */
const KINDS: Record<Kind, { name: string; address: string; keyHint: string; isOwnServer?: boolean }> = {
  brave: {
    name: 'Brave Search',
    address: 'https://api.search.brave.com/res/v1',
    keyHint: t`From api-dashboard.search.brave.com, under API keys.`,
  },
  tavily: { name: 'Tavily', address: 'https://api.tavily.com', keyHint: t`From app.tavily.com, under API keys.` },
  searxng: {
    name: 'SearXNG',
    address: 'https://search.example.com',
    keyHint: t`Only if a proxy before it asks for one.`,
    isOwnServer: true,
  },
}

/** Fields that show what is wrong with them. */
const SHOWN = ['kind', 'base_url', 'api_key']

interface WebSearchFormProps {
  provider: WebSearchSettings | null
  onClose: () => void
}

/** Chooses the provider of web search, and tries it. */
export function WebSearchForm({ provider, onClose }: WebSearchFormProps) {
  const workspaceId = useWorkspaceId()
  const [kind, setKind] = useState<Kind>(provider?.kind ?? 'brave')
  const [address, setAddress] = useState(provider?.base_url ?? '')
  const [key, setKey] = useState('')
  const { name, address: usual, keyHint, isOwnServer = false } = KINDS[kind]
  const fields: PutWebSearch = { kind, base_url: address.trim() || null, ...(key.trim() && { api_key: key.trim() }) }
  const isSame = provider?.kind === kind && provider.base_url === fields.base_url
  const keepsKey = isSame && provider.has_key
  const isComplete = isOwnServer ? address.trim() !== '' : keepsKey || key.trim() !== ''
  const saving = useMutation({
    // A key that belongs to another address is left behind.
    mutationFn: () => putWebSearch(workspaceId, isSame || key.trim() ? fields : { ...fields, api_key: null }),
    onSuccess: onClose,
  })
  const testing = useMutation({ mutationFn: () => testWebSearch(workspaceId, fields) })
  const removing = useMutation({ mutationFn: () => removeWebSearch(workspaceId), onSuccess: onClose })
  function change(set: () => void) {
    set()
    saving.reset()
    testing.reset()
  }
  const { errorAt, unlessShown } = fieldErrors(SHOWN, [saving.error, testing.error])
  return (
    <FormDialog
      title={t`Web search`}
      saving={{ error: unlessShown(saving.error) ?? removing.error, isPending: saving.isPending }}
      save={t`Save`}
      isDisabled={!isComplete}
      onSave={() => saving.mutate()}
      onClose={onClose}
    >
      <Field label={t`Provider`} error={errorAt('kind')}>
        {(control) => (
          <Select
            {...control}
            value={kind}
            onChange={({ target }) =>
              change(() => {
                setKind(target.value as Kind)
                // A key that was typed for one provider must not go to another one.
                setKey('')
                setAddress(target.value === provider?.kind ? (provider.base_url ?? '') : '')
              })
            }
          >
            {Object.entries(KINDS).map(([id, one]) => (
              <option key={id} value={id}>
                {one.name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <KeyField
        label={t`API key`}
        hint={
          keepsKey
            ? t`Leave it empty to keep the one that is stored.`
            : t`${keyHint} Stored encrypted, and never shown again.`
        }
        error={errorAt('api_key')}
        required={!isOwnServer && !keepsKey}
        value={key}
        onChange={(typed) => change(() => setKey(typed))}
      />
      <AddressField
        label={t`Address`}
        hint={isOwnServer ? t`Its settings have to allow the format json.` : t`Only for a gateway in front of ${name}.`}
        error={errorAt('base_url')}
        required={isOwnServer}
        placeholder={usual}
        value={address}
        onChange={(typed) => change(() => setAddress(typed))}
      />
      <div className="space-y-2">
        <div className="flex gap-2">
          <Button isBusy={testing.isPending} disabled={!isComplete} onClick={() => testing.mutate()}>
            <Trans>Test</Trans>
          </Button>
          {provider && (
            <Button isBusy={removing.isPending} onClick={() => removing.mutate()}>
              <Trans>Remove</Trans>
            </Button>
          )}
        </div>
        <Outcome tested={testing.data} error={unlessShown(testing.error)} />
      </div>
    </FormDialog>
  )
}

const Outcome = ({ tested, error }: { tested: TestedWebSearch | undefined; error: Error | null }) => (
  <div aria-live="polite" className="text-sm wrap-anywhere">
    {error && <p className="text-bad">{explain(error)}</p>}
    {tested && !error && (
      <p>
        <Badge tone={tested.is_ok ? 'good' : 'bad'}>{tested.is_ok ? t`It answers` : t`It cannot be used`}</Badge>{' '}
        {tested.is_ok
          ? t`${plural(tested.results.length, { one: '# result', other: '# results' })}, after ${formatDuration(tested.latency_ms)}`
          : tested.error_message}
      </p>
    )}
    {tested?.is_ok && (
      <ul className="mt-1.5 space-y-1 text-muted">
        {tested.results.map(({ title, url }) => (
          <li key={url}>
            {title} · <bdi className="font-mono">{url}</bdi>
          </li>
        ))}
      </ul>
    )}
  </div>
)
