import type { AppRequest } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { signOut, useMe, wholeDocent } from '../../access/access.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CheckField } from '../../ui/fields/choice.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import { AgentChoice } from './agent-choice.tsx'
import { DecisionButtons, DecisionFrame, WorkspaceLine } from './decision-frame.tsx'

/** Page to which an app sends a person, who lets it act for them or refuses. */
export function ConsentPage() {
  const isPerson = useMe().data?.member != null
  const query = location.search.slice(1)
  const { data, error, refetch } = useQuery({
    queryKey: ['app-request', query],
    queryFn: () => wholeDocent().account.apps.check(query),
    enabled: isPerson && query !== '',
    retry: false,
  })
  if (!isPerson) return <NoPerson />
  if (query === '')
    return (
      <DecisionFrame title={t`Connect an app`}>
        <Notice>
          <Trans>Nothing was asked for. Connect the app from where you use it.</Trans>
        </Notice>
      </DecisionFrame>
    )
  if (error)
    return (
      <DecisionFrame title={t`This app cannot be connected`}>
        <ReadProblem error={error} onRetry={refetch} />
      </DecisionFrame>
    )
  return data ? <Consent request={data} query={query} /> : null
}

/** Page for a session of an API key. */
export const NoPerson = () => (
  <DecisionFrame title={t`Connect an app`}>
    <p className="mb-5 text-pretty">
      <Trans>You are signed in with an API key. Only people can connect apps: sign in with your account.</Trans>
    </p>
    <Button variant="primary" className="w-full" onClick={() => unawaited(signOut())}>
      <Trans>Sign in with another account</Trans>
    </Button>
  </DecisionFrame>
)

function Consent({ request, query }: { request: AppRequest; query: string }) {
  const { client, scopes, destination } = request
  const [chosen, setChosen] = useState<string[] | null>(null)
  const [readsDocuments, setReadsDocuments] = useState(true)
  const deciding = useMutation({
    mutationFn: (decision: 'allow' | 'refuse') =>
      wholeDocent().account.apps.decide({
        query,
        decision,
        ...(decision === 'allow' && {
          scopes: scopes.filter((scope) => scope !== 'documents' || readsDocuments || scopes.length === 1),
          agent_ids: chosen,
        }),
      }),
    onSuccess: ({ redirect_to }) => location.replace(redirect_to),
  })
  if (deciding.isSuccess)
    return (
      <DecisionFrame
        title={deciding.variables === 'allow' ? t`${client.name} is connected` : t`${client.name} was refused`}
      >
        <p role="status" className="text-pretty">
          <Trans>Go back to where you began. You can close this page.</Trans>
        </p>
      </DecisionFrame>
    )
  const name = client.name
  return (
    <DecisionFrame title={t`Let ${name} act for you?`}>
      <WorkspaceLine path={location.pathname + location.search} />
      <section className="mt-6">
        <h2 className="font-semibold">
          <Trans>It may</Trans>
        </h2>
        <div className="mt-2 space-y-4">
          {scopes.includes('api') && (
            <p className="text-pretty">
              <Trans>Do everything that you may do in this workspace: read and change files, agents and chats.</Trans>
            </p>
          )}
          {scopes.includes('agents') && <AgentChoice chosen={chosen} onChoose={setChosen} />}
          {scopes.includes('documents') && (
            <CheckField
              label={t`Read documents`}
              hint={
                chosen
                  ? t`Those in the folders from which these agents answer.`
                  : t`Those in folders that you may read.`
              }
              checked={readsDocuments || scopes.length === 1}
              disabled={scopes.length === 1}
              onChange={({ target }) => setReadsDocuments(target.checked)}
            />
          )}
        </div>
      </section>
      <section className="mt-6 rounded-control bg-canvas px-4 py-3 text-sm text-pretty">
        <p className="wrap-anywhere">
          <DestinationLine destination={destination} />
        </p>
        {!client.is_own && (
          <p className="mt-2 text-muted">
            <Trans>
              The app chose its name itself, and nobody has checked it. Go on only if you have just connected it
              yourself.
            </Trans>
          </p>
        )}
      </section>
      <DecisionButtons deciding={deciding} mayAllow={chosen?.length !== 0} />
      <p className="mt-4 text-sm text-muted text-pretty">
        <Trans>You can disconnect it at any time under Settings → My account.</Trans>
      </p>
    </DecisionFrame>
  )
}

function DestinationLine({ destination: { kind, name } }: Pick<AppRequest, 'destination'>) {
  if (kind === 'site')
    return (
      <Trans>
        Afterwards you are sent to <strong>{name}</strong>.
      </Trans>
    )
  if (kind === 'program')
    return (
      <Trans>
        Afterwards the program <strong>{name}</strong> on this device is opened.
      </Trans>
    )
  return (
    <Trans>
      Afterwards you are sent to a program on this device (<strong>{name}</strong>).
    </Trans>
  )
}
