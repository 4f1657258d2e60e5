import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useIsAdmin } from '../../../access/access.ts'
import { explain } from '../../../platform/errors.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { later } from '../../../ui/later.tsx'
import { Badge } from '../../../ui/notices/badge.tsx'
import { PartSection } from '../../part-section.tsx'
import { useWebSearch } from './web-search.queries.ts'

const WebSearchForm = later(async () => (await import('./web-search-form.tsx')).WebSearchForm)

/** Provider with which the agents of the workspace search the web. */
export function WebSearch() {
  const isAdmin = useIsAdmin()
  const { data, error, isPending } = useWebSearch()
  const [isOpen, setOpen] = useState(false)
  const provider = data?.provider ?? null
  return (
    <PartSection
      title={t`Web search`}
      about={t`Searches go to one provider, which the whole workspace shares. It sees what agents search for.`}
      action={
        isAdmin &&
        data && (
          <Button onClick={() => setOpen(true)}>{provider ? <Trans>Change</Trans> : <Trans>Set up</Trans>}</Button>
        )
      }
    >
      {error && <p className="text-sm text-bad">{explain(error)}</p>}
      {!isPending && !error && (
        <p className="rounded-card border border-line px-3.5 py-2.5 wrap-anywhere">
          {provider ? (
            <>
              <Badge tone="good">
                <Trans>Set up</Trans>
              </Badge>{' '}
              {provider.label} <span className="text-sm text-muted">{provider.base_url}</span>
            </>
          ) : (
            <>
              <Badge tone="bad">
                <Trans>Not set up</Trans>
              </Badge>{' '}
              <span className="text-sm text-muted">
                {isAdmin
                  ? t`Choose a provider, so that this agent can search.`
                  : t`An admin of this workspace has to choose a provider first.`}
              </span>
            </>
          )}
        </p>
      )}
      {isOpen && <WebSearchForm provider={provider} onClose={() => setOpen(false)} />}
    </PartSection>
  )
}
