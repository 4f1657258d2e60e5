import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useWorkspaceId } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { formatList } from '../../platform/format.ts'
import { CheckField } from '../../ui/fields/choice.tsx'
import { Waiting } from '../../ui/layout/waiting.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { ConfirmDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import { SettingSection } from '../setting-section.tsx'
import { setSecondFactorDemand, useSecondFactorDemand } from './members.queries.ts'

const NAMED = 5

/** Choice whether members need a second factor; says who has none. */
export function SecondFactorSection() {
  const workspaceId = useWorkspaceId()
  const { data, error, refetch } = useSecondFactorDemand()
  const [isAsking, setAsking] = useState(false)
  if (error) return <ReadProblem error={error} onRetry={refetch} />
  if (!data) return <Waiting />
  const { is_demanded, members_without, members_without_total } = data
  const named = members_without.slice(0, NAMED).map(({ name }) => name)
  const more = members_without_total - named.length
  const without = formatList([
    ...named,
    ...(more > 0 ? [plural(more, { one: '# more member', other: '# more members' })] : []),
  ])
  const set = (demanded: boolean) => setSecondFactorDemand(workspaceId, demanded)
  return (
    <SettingSection
      title={t`Second factor`}
      about={t`With it, a stolen password alone opens no account. Members who sign in with a provider alone are not asked: the provider proves who they are. API keys keep working.`}
    >
      <CheckField
        label={t`Members who sign in with a password need a second factor`}
        hint={
          members_without_total === 0
            ? t`Everybody who signs in with a password has one.`
            : is_demanded
              ? t`${without} may do nothing here until they have set one up.`
              : t`Without one so far: ${without}.`
        }
        checked={is_demanded}
        onChange={({ target: { checked } }) => {
          if (checked && members_without_total > 0) setAsking(true)
          else unawaited(set(checked).catch((problem) => toast(explain(problem), { isError: true })))
        }}
      />
      {isAsking && (
        <ConfirmDialog
          title={t`Demand a second factor?`}
          confirm={t`Demand it`}
          act={() => set(true)}
          onClose={() => setAsking(false)}
        >
          <Trans>
            Without one so far: {without}. From now on all they can do in this workspace is set one up, in the browser,
            with personal keys and through shared links alike.
          </Trans>
        </ConfirmDialog>
      )}
    </SettingSection>
  )
}
