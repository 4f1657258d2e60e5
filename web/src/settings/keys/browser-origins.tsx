import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient, useWorkspaceId, wholeDocent } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { OriginInput } from '../../ui/fields/origin-input.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { SettingSection } from '../setting-section.tsx'

const queryKey = (workspaceId: string) => ['browser-origins', workspaceId]

/** Websites whose pages may call with the tokens of end users. */
export function BrowserOrigins() {
  const workspaceId = useWorkspaceId()
  const { data, error, refetch } = useQuery({
    queryKey: queryKey(workspaceId),
    queryFn: async () => (await wholeDocent().browserOrigins.get(workspaceId)).origins,
  })
  return (
    <SettingSection
      title={t`Websites with user tokens`}
      about={t`Your own server can give its users short-lived tokens (POST /v1/user-tokens). Browsers let pages of these websites call with such a token, and with nothing else.`}
    >
      {error && <ReadProblem error={error} onRetry={refetch} />}
      {data && <OriginsForm key={data.join()} saved={data} workspaceId={workspaceId} />}
    </SettingSection>
  )
}

function OriginsForm({ saved, workspaceId }: { saved: string[]; workspaceId: string }) {
  const [origins, setOrigins] = useState(saved)
  // A text that is no origin stays in the box, and saving says so.
  const [isTyped, setTyped] = useState(false)
  const saving = useMutation({
    mutationFn: () => wholeDocent().browserOrigins.set(workspaceId, origins),
    onSuccess: ({ origins }) => {
      queryClient.setQueryData(queryKey(workspaceId), origins)
      toast(t`Saved. It counts within three seconds.`)
    },
  })
  const isChanged = origins.toSorted().join() !== saved.toSorted().join()
  return (
    <form
      className="max-w-2xl space-y-4"
      onInput={({ target }) => setTyped((target as HTMLInputElement).value.trim() !== '')}
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate()
      }}
    >
      <Field
        label={t`Origins`}
        hint={t`Exact, with https and without a path; http for localhost alone. Enter adds one.`}
      >
        {(control) => (
          <OriginInput
            {...control}
            isExact
            tags={origins}
            onChange={setOrigins}
            placeholder="https://app.example.com"
          />
        )}
      </Field>
      {saving.error && <Notice>{explain(saving.error)}</Notice>}
      <Button variant="primary" type="submit" isBusy={saving.isPending} disabled={!isChanged && !isTyped}>
        <Trans>Save</Trans>
      </Button>
    </form>
  )
}
