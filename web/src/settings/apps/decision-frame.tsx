import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { chooseWorkspace, useAccount, useMe } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Select } from '../../ui/fields/choice.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { Wordmark } from '../../ui/layout/wordmark.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { unawaited } from '../../ui/unawaited.ts'

/** Line with the person and the workspace, which those who have several choose. @param path page to begin with in another one */
export function WorkspaceLine({ path }: { path: string }) {
  const { data: me } = useMe()
  const { data: account } = useAccount(true)
  const [error, setError] = useState<unknown>(null)
  if (!me?.member) return null
  const memberships = account?.memberships ?? []
  return (
    <div className="space-y-4">
      <p className="text-muted wrap-anywhere">
        {me.member.name} · {me.member.email}
        {memberships.length < 2 && (
          <>
            <br />
            {me.organization.name} · {me.workspace.name}
          </>
        )}
      </p>
      {memberships.length > 1 && (
        <Field label={t`Workspace`}>
          {(control) => (
            <Select
              {...control}
              value={me.workspace.id}
              onChange={({ target }) => unawaited(chooseWorkspace(target.value, path).catch(setError))}
            >
              {memberships.map(({ workspace, organization }) => (
                <option key={workspace.id} value={workspace.id}>
                  {organization.name} · {workspace.name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      {error !== null && <Notice>{explain(error)}</Notice>}
    </div>
  )
}

/** Frame of the page: nothing beside what is to be decided. */
export const DecisionFrame = ({ title, children }: { title: string; children: ReactNode }) => (
  <main className="grid min-h-dvh place-items-center bg-canvas px-4 py-10">
    <title>{`${title} · Docent`}</title>
    <div className="w-full max-w-md rounded-card border border-line bg-paper p-6 sm:p-8">
      <Wordmark className="text-3xl" />
      <h1 className="mt-5 mb-2 text-xl font-semibold text-balance wrap-anywhere">{title}</h1>
      {children}
    </div>
  </main>
)

type Decision = 'allow' | 'refuse'

interface DecisionButtonsProps {
  deciding: { error: unknown; isPending: boolean; mutate: (decision: Decision) => void }
  mayAllow?: boolean
}

/** Buttons that refuse and allow, below why the last attempt failed. */
export const DecisionButtons = ({ deciding, mayAllow = true }: DecisionButtonsProps) => (
  <>
    {deciding.error !== null && <Notice className="mt-5">{explain(deciding.error)}</Notice>}
    <div className="mt-6 flex gap-3">
      <Button className="flex-1" disabled={deciding.isPending} onClick={() => deciding.mutate('refuse')}>
        <Trans>Refuse</Trans>
      </Button>
      <Button
        variant="primary"
        className="flex-1"
        isBusy={deciding.isPending}
        disabled={!mayAllow}
        onClick={() => deciding.mutate('allow')}
      >
        <Trans>Allow</Trans>
      </Button>
    </div>
  </>
)
