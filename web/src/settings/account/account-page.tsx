import { Trans } from '@lingui/react/macro'
import { NoAccess, useAccount, useMe } from '../../access/access.ts'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { AppsSection } from './apps-section.tsx'
import { DeleteAccountSection } from './delete-account.tsx'
import { PasskeysSection } from './passkeys/passkeys-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { PersonalKeysSection } from './personal-keys.tsx'
import { ProfileSection } from './profile-section.tsx'
import { ProvidersSection } from './providers-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { TwoFactorSection } from './two-factor/two-factor-section.tsx'

/** Account of the person who is signed in. */
export function AccountPage() {
  const isPerson = useMe().data?.member != null
  const { data, error, refetch } = useAccount(isPerson)
  if (!isPerson)
    return (
      <NoAccess>
        <Trans>You are signed in with an API key. Only people have an account.</Trans>
      </NoAccess>
    )
  if (error) return <ReadProblem error={error} onRetry={refetch} />
  if (!data) return null
  return (
    <>
      <ProfileSection account={data} />
      {data.has_password && <PasswordSection />}
      {data.has_password && <TwoFactorSection account={data} />}
      <PasskeysSection account={data} />
      <ProvidersSection account={data} />
      <SessionsSection />
      <AppsSection />
      <PersonalKeysSection />
      <DeleteAccountSection />
    </>
  )
}
