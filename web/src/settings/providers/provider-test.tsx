import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useWorkspaceId } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Badge } from '../../ui/notices/badge.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { type ProviderDraft, toFields } from './provider-draft.ts'
import { testProvider } from './providers.queries.ts'

/** Button that asks the provider whether a sign-in would work, and what it found. */
export function ProviderTest({ draft, id }: { draft: ProviderDraft; id?: string }) {
  const workspaceId = useWorkspaceId()
  const testing = useMutation({
    mutationFn: () => {
      const { issuer, client_id, client_secret, client_auth, scope } = toFields(draft)
      const given = {
        issuer,
        client_id,
        scope,
        ...(client_secret && { client_secret }),
        ...(client_auth && { client_auth }),
      }
      return testProvider(workspaceId, { ...given, ...(id && { id }) })
    },
  })
  return (
    <div className="space-y-3">
      <Button
        isBusy={testing.isPending}
        disabled={!draft.issuer.trim() || !draft.clientId.trim()}
        onClick={() => testing.mutate()}
      >
        <Trans>Test</Trans>
      </Button>
      {testing.error && <Notice>{explain(testing.error)}</Notice>}
      {testing.data && (
        <ul aria-label={t`What the test found`} className="space-y-1.5" aria-live="polite">
          {testing.data.findings.map(({ check, is_ok, message }) => (
            <li key={check} className="flex items-baseline gap-2.5">
              <Badge tone={is_ok ? 'good' : 'bad'}>{is_ok ? t`Fine` : t`Wrong`}</Badge>
              <span className="min-w-0 wrap-anywhere">{message}.</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
