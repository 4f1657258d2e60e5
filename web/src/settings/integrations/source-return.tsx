import { useState } from 'react'
import { queryClient } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { IntegrationForm } from './integration-form.tsx'
import { SOURCE_RETURN, useIntegrations, useSourceReturn } from './integrations.queries.ts'
import { dropDraft, findDraft } from './source-draft.ts'

/** Ends a login with which a person comes back from a provider, and opens the form that they left. */
export function SourceReturn() {
  const [draft] = useState(findDraft)
  const { data: integrations } = useIntegrations()
  const { data, error } = useSourceReturn()
  const [isOver, setOver] = useState(false)
  const integration = integrations?.find(({ id }) => id === draft?.integrationId)
  if (isOver || !draft || !(data || error) || (draft.integrationId && !integration)) return null
  return (
    <IntegrationForm
      integration={integration}
      draft={draft}
      made={data}
      loginError={error && explain(error)}
      onClose={() => {
        dropDraft()
        queryClient.removeQueries({ queryKey: SOURCE_RETURN })
        setOver(true)
      }}
    />
  )
}
