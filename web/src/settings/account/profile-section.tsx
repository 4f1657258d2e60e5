import type { Account } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { LANGUAGES } from '../../../languages/languages.ts'
import { LanguageDialog, roleName } from '../../access/access.ts'
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
  const [isChoosing, setChoosing] = useState(false)
  return (
    <SettingSection
      title={t`My account`}
      about={t`One account for all workspaces that you are a member of.`}
      actions={
        <Button icon={Pencil} onClick={() => setRenaming(true)}>
          <Trans>Change the name</Trans>
        </Button>
      }
    >
      <Facts
        facts={[
          [t`Picture`, <PictureField key="picture" account={account} />],
          [t`Name`, account.name],
          [t`E-mail`, account.email],
          [
            t`Language`,
            <span key="language" className="flex flex-wrap items-center gap-x-3">
              {account.language ? LANGUAGES[account.language] : t`As in the browser`}
              <Button onClick={() => setChoosing(true)}>
                <Trans>Change</Trans>
              </Button>
            </span>,
          ],
          [
            t`Workspaces`,
            <ul key="workspaces" className="space-y-1">
              {account.memberships.map(({ workspace, organization, role, is_current }) => (
                <li key={workspace.id}>
                  {organization.name} · {workspace.name}{' '}
                  <span className="text-muted">
                    ({roleName(role)}
                    {is_current && t`, open now`})
                  </span>
                </li>
              ))}
            </ul>,
          ],
        ]}
      />
      {isChoosing && <LanguageDialog onClose={() => setChoosing(false)} />}
      {isRenaming && (
        <NameDialog
          title={t`Change the name`}
          label={t`Name`}
          initial={account.name}
          confirm={t`Change`}
          act={rename}
          onClose={() => setRenaming(false)}
        />
      )}
    </SettingSection>
  )
}
