import type { Account } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { goToProvider, queryClient, refreshAccount, signInOptions, wholeDocent } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Waiting } from '../../ui/layout/waiting.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { SettingSection } from '../setting-section.tsx'

/** Sign-in providers of the server, each with the way to link it to this account or to unlink it. */
export function ProvidersSection({ account }: { account: Account }) {
  const options = useQuery(signInOptions)
  const linking = useMutation({ mutationFn: (id: string) => goToProvider(id, { link: true }) })
  const unlinking = useMutation({
    mutationFn: (id: string) => wholeDocent().account.identities.unlink(id),
    onSuccess: () => refreshAccount(queryClient),
  })
  const { identities } = account
  const others = (options.data?.providers ?? []).filter(({ id }) => !identities.some((one) => one.provider.id === id))
  if (options.isLoading) return <Waiting />
  if (identities.length === 0 && others.length === 0) return null
  const error = linking.error ?? unlinking.error
  return (
    <SettingSection title={t`Sign in with`} about={t`Accounts elsewhere that lead to this one.`}>
      <ul className="divide-y divide-line">
        {identities.map(({ id, provider }) => (
          <li key={id} className="flex items-center justify-between gap-4 py-2">
            <span>{provider.name}</span>
            <Button
              aria-label={t`Unlink ${provider.name}`}
              isBusy={unlinking.isPending && unlinking.variables === id}
              onClick={() => unlinking.mutate(id)}
            >
              <Trans>Unlink</Trans>
            </Button>
          </li>
        ))}
        {others.map(({ id, name }) => (
          <li key={id} className="flex items-center justify-between gap-4 py-2">
            <span className="text-muted">{name}</span>
            <Button
              aria-label={t`Link ${name}`}
              isBusy={linking.variables === id && linking.isPending}
              onClick={() => linking.mutate(id)}
            >
              <Trans>Link</Trans>
            </Button>
          </li>
        ))}
      </ul>
      {error && <Notice>{explain(error)}</Notice>}
    </SettingSection>
  )
}
