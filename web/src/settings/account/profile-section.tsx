import type { Account } from '@docent/sdk'
import { useState } from 'react'
import { Button } from '../../ui/controls/button.tsx'
import { Facts } from '../../ui/data/facts.tsx'
import { Pencil } from '../../ui/icons.ts'
import { NameDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { SettingSection } from '../setting-section.tsx'
import { rename } from './account.queries.ts'
import { PictureField } from './picture-field.tsx'

/** Name, e-mail and workspaces of the person. */
export function ProfileSection({ account }: { account: Account }) {
  const [isRenaming, setRenaming] = useState(false)
  return (
    <SettingSection
      title="My account"
      about="One account for all workspaces that you are a member of."
      actions={
        <Button icon={Pencil} onClick={() => setRenaming(true)}>
          Change the name
        </Button>
      }
    >
      <Facts
        facts={[
          ['Picture', <PictureField key="picture" account={account} />],
          ['Name', account.name],
          ['E-mail', account.email],
          [
            'Workspaces',
            <ul key="workspaces" className="space-y-1">
              {account.memberships.map(({ workspace, organization, role, is_current }) => (
                <li key={workspace.id}>
                  {organization.name} · {workspace.name}{' '}
                  <span className="text-muted">
                    ({role}
                    {is_current && ', open now'})
                  </span>
                </li>
              ))}
            </ul>,
          ],
        ]}
      />
      {isRenaming && (
        <NameDialog
          title="Change the name"
          label="Name"
          initial={account.name}
          confirm="Change"
          act={rename}
          onClose={() => setRenaming(false)}
        />
      )}
    </SettingSection>
  )
}
