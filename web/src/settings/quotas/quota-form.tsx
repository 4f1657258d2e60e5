import type { Quota, SetQuota } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspaceId } from '../../access/access.ts'
import { isolate } from '../../platform/format.ts'
import { Select } from '../../ui/fields/choice.tsx'
import { Field, Input } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { useAllKeys } from '../keys/keys.queries.ts'
import { setQuota } from './quotas.queries.ts'

type SubjectType = Quota['subject']['type']

const SUBJECTS: Record<SubjectType, { name: string; about: string }> = {
  any_virtual_user: {
    name: t`Each person`,
    about: t`The same for every person, unless they have a quota of their own.`,
  },
  virtual_user: { name: t`One person`, about: t`All questions for the person, with any key.` },
  api_key: { name: t`One API key`, about: t`All questions with the key, including in this UI.` },
  workspace: { name: t`The workspace`, about: t`Everything that is asked.` },
}

interface QuotaFormProps {
  /** Quota to edit; null to create one. */
  quota: Quota | null
  /** Subject, where it is known. */
  name: string | null
  onClose: () => void
}

/** Form for a quota's limits. Subject and period identify the quota and cannot be changed. */
export function QuotaForm({ quota, name, onClose }: QuotaFormProps) {
  const workspaceId = useWorkspaceId()
  const [type, setType] = useState<SubjectType>('any_virtual_user')
  const [email, setEmail] = useState('')
  const [keyId, setKeyId] = useState('')
  const [period, setPeriod] = useState<Quota['period']>('day')
  const [limits, setLimits] = useState({
    max_messages: toText(quota?.max_messages),
    max_tokens: toText(quota?.max_tokens),
    max_cost_usd: toText(quota?.max_cost_usd),
  })
  const [isTried, setTried] = useState(false)
  const { data: keys = [] } = useAllKeys(type === 'api_key')
  const isEmpty = Object.values(limits).every((text) => text === '')
  const saving = useMutation({
    mutationFn: () =>
      setQuota(workspaceId, {
        ...(quota
          ? { subject: toSubject(quota), period: quota.period }
          : {
              subject: {
                type,
                ...(type === 'virtual_user' && { email: email.trim() }),
                ...(type === 'api_key' && { id: keyId }),
              },
              period,
            }),
        max_messages: toNumber(limits.max_messages),
        max_tokens: toNumber(limits.max_tokens),
        max_cost_usd: toNumber(limits.max_cost_usd),
      }),
    onSuccess: onClose,
  })
  const limit = (field: keyof typeof limits, label: string, step: number | 'any') => (
    <Field label={label}>
      {(control) => (
        <Input
          {...control}
          type="number"
          min={0}
          max={1_000_000_000}
          step={step}
          placeholder={t`No limit`}
          value={limits[field]}
          onChange={({ target }) => setLimits((all) => ({ ...all, [field]: target.value }))}
        />
      )}
    </Field>
  )
  return (
    <FormDialog
      title={
        quota
          ? quota.period === 'day'
            ? t`Quota of ${name ?? ''} for a day`
            : t`Quota of ${name ?? ''} for a month`
          : t`New quota`
      }
      width="wide"
      onClose={onClose}
      saving={saving}
      save={quota ? t`Save` : t`Set the quota`}
      onSave={() => {
        setTried(true)
        if (!isEmpty) saving.mutate()
      }}
    >
      {!quota && (
        <>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label={t`For`} hint={SUBJECTS[type].about}>
              {(control) => (
                <Select {...control} value={type} onChange={({ target }) => setType(target.value as SubjectType)}>
                  {Object.entries(SUBJECTS).map(([value, subject]) => (
                    <option key={value} value={value}>
                      {subject.name}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <Field label={t`In a`} hint={t`It replaces an existing quota for the same subject and period.`}>
              {(control) => (
                <Select
                  {...control}
                  value={period}
                  onChange={({ target }) => setPeriod(target.value as Quota['period'])}
                >
                  <option value="day">{t`Day`}</option>
                  <option value="month">{t`Month`}</option>
                </Select>
              )}
            </Field>
          </div>
          {type === 'virtual_user' && (
            <Field label={t`E-mail`}>
              {(control) => (
                <Input
                  {...control}
                  type="email"
                  required
                  maxLength={254}
                  value={email}
                  onChange={({ target }) => setEmail(target.value)}
                />
              )}
            </Field>
          )}
          {type === 'api_key' && (
            <Field label={t`API key`}>
              {(control) => (
                <Select {...control} required value={keyId} onChange={({ target }) => setKeyId(target.value)}>
                  <option value="">{t`Choose…`}</option>
                  {keys.map((key) => (
                    <option key={key.id} value={key.id}>
                      {key.name} ({isolate(`${key.prefix}…`)})
                    </option>
                  ))}
                </Select>
              )}
            </Field>
          )}
        </>
      )}
      <fieldset>
        <legend className="sr-only">
          <Trans>At most</Trans>
        </legend>
        <div className="grid gap-4 sm:grid-cols-3">
          {limit('max_messages', t`Messages`, 1)}
          {limit('max_tokens', t`Tokens`, 1)}
          {limit('max_cost_usd', t`Cost in dollars`, 'any')}
        </div>
        <p className="mt-1.5 text-sm text-muted text-pretty">
          <Trans>
            Messages are counted when they are asked, tokens and cost when they are answered: the last answers may go
            over. 0 lets nothing through.
          </Trans>
        </p>
      </fieldset>
      {isTried && isEmpty && (
        <Notice>
          <Trans>Give at least one limit.</Trans>
        </Notice>
      )}
    </FormDialog>
  )
}

const toSubject = ({ subject: { type, id } }: Quota): SetQuota['subject'] => ({ type, ...(id !== null && { id }) })

const toText = (limit: number | null | undefined): string => (limit == null ? '' : String(limit))

const toNumber = (text: string): number | null => (text === '' ? null : Number(text))
