import { Trans } from '@lingui/react/macro'
import { NoAccess, useIsAdmin } from '../../access/access.ts'
import { ScimSection } from '../directory/scim-section.tsx'
import { GroupsSection } from './groups-section.tsx'
import { InvitationsSection } from './invitations-section.tsx'
import { MembersSection } from './members-section.tsx'
import { SecondFactorSection } from './second-factor-section.tsx'

/** Members, open invitations and groups of the workspace. */
export function MembersPage() {
  const isAdmin = useIsAdmin()
  if (!isAdmin)
    return (
      <NoAccess>
        <Trans>Members are for admins and owners.</Trans>
      </NoAccess>
    )
  return (
    <>
      <MembersSection />
      <InvitationsSection />
      <GroupsSection />
      <SecondFactorSection />
      <ScimSection />
    </>
  )
}
