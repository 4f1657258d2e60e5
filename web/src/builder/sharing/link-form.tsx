import type { Agent, AgentLink } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrors } from '../../platform/errors.ts'
import { withMessages } from '../../platform/language.ts'
import { Select } from '../../ui/fields/choice.tsx'
import { Field, Input, Textarea } from '../../ui/fields/field.tsx'
import { OriginInput } from '../../ui/fields/origin-input.tsx'
import { later } from '../../ui/later.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { saveLink } from '../builder.queries.ts'
import { lookOf, toLook } from './link-look.ts'
import { LinkLookFields } from './link-look-fields.tsx'

const LinkPreview = later(
  async () => (await withMessages('link-preview', () => import('../link-preview.pages.ts'))).LinkPreview,
)

/** Fields that show what is wrong with them. */
const SHOWN = ['name', 'audience', 'greeting', 'allowed_origins']

interface LinkFormProps {
  agent: Agent
  /** Link to edit; null to create one. */
  link: AgentLink | null
  onClose: () => void
}

/** Makes or changes a link; beside the fields stands what comes of them. */
export function LinkForm({ agent, link, onClose }: LinkFormProps) {
  const { id: agentId, visibility } = agent
  const [look, setLook] = useState(() => lookOf(link))
  const [fields, setFields] = useState({
    name: link?.name ?? '',
    audience: link?.audience ?? (visibility === 'public' ? ('public' as const) : ('organization' as const)),
    allowed_origins: link?.allowed_origins ?? [],
    greeting: link?.greeting ?? '',
    queries_per_minute: link?.queries_per_minute ?? 60,
    queries_per_visitor_per_minute: link?.queries_per_visitor_per_minute ?? 10,
  })
  const change = (some: Partial<typeof fields>) => setFields((all) => ({ ...all, ...some }))
  const saving = useMutation({
    mutationFn: () => saveLink(agentId, link?.id ?? null, { ...fields, ...toLook(look), name: fields.name.trim() }),
    onSuccess: onClose,
  })
  const { errorAt, unlessShown } = fieldErrors(SHOWN, [saving.error])
  return (
    <FormDialog
      title={link ? t`Change the link` : t`New link`}
      width="double"
      onClose={onClose}
      saving={{ isPending: saving.isPending, error: unlessShown(saving.error) }}
      save={link ? t`Save` : t`Create link`}
      onSave={() => saving.mutate()}
    >
      <div className="gap-6 md:grid md:grid-cols-[minmax(0,1fr)_18rem] lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="space-y-4">
          <Field label={t`Name`} hint={t`For you, to tell links apart.`} error={errorAt('name')}>
            {(control) => (
              <Input
                {...control}
                autoFocus
                required
                maxLength={256}
                placeholder={t`Website`}
                value={fields.name}
                onChange={({ target }) => change({ name: target.value })}
              />
            )}
          </Field>
          <Field
            label={t`For`}
            hint={visibility !== 'public' && t`Links for everybody need an agent that everybody with a link may use.`}
            error={errorAt('audience')}
          >
            {(control) => (
              <Select
                {...control}
                value={fields.audience}
                onChange={({ target }) => change({ audience: target.value as AgentLink['audience'] })}
              >
                <option
                  value="public"
                  disabled={visibility !== 'public' && link?.audience !== 'public'}
                >{t`Everybody who has the link`}</option>
                <option value="organization">{t`People of the organization, who sign in`}</option>
              </Select>
            )}
          </Field>
          <Field
            label={t`Greeting`}
            hint={t`First message to visitors. Empty: “What would you like to know?”`}
            error={errorAt('greeting')}
          >
            {(control) => (
              <Textarea
                {...control}
                rows={2}
                maxLength={2000}
                placeholder={t`Hello! Ask me about opening hours, tickets and tours.`}
                value={fields.greeting}
                onChange={({ target }) => change({ greeting: target.value })}
              />
            )}
          </Field>
          <LinkLookFields look={look} onChange={(some) => setLook((all) => ({ ...all, ...some }))} />
          <Field
            label={t`Websites that may embed it`}
            hint={t`Origins like https://www.example.com or https://*.example.com. None: no page may.`}
            error={errorAt('allowed_origins')}
          >
            {(control) => (
              <OriginInput
                {...control}
                tags={fields.allowed_origins}
                placeholder="https://www.example.com"
                onChange={(allowed_origins) => change({ allowed_origins })}
              />
            )}
          </Field>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label={t`Questions a minute`} hint={t`Of all visitors together.`}>
              {(control) => (
                <Input
                  {...control}
                  type="number"
                  required
                  min={1}
                  max={10_000}
                  value={fields.queries_per_minute}
                  onChange={({ target }) => change({ queries_per_minute: target.valueAsNumber })}
                />
              )}
            </Field>
            <Field label={t`Of one visitor`} hint={t`Visitors who ask more have to wait.`}>
              {(control) => (
                <Input
                  {...control}
                  type="number"
                  required
                  min={1}
                  max={1000}
                  value={fields.queries_per_visitor_per_minute}
                  onChange={({ target }) => change({ queries_per_visitor_per_minute: target.valueAsNumber })}
                />
              )}
            </Field>
          </div>
        </div>
        <div className="max-md:mt-4">
          <div className="md:sticky md:top-5">
            <LinkPreview agent={agent} greeting={fields.greeting} look={look} />
          </div>
        </div>
      </div>
    </FormDialog>
  )
}
