import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, Outlet, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../access/access.ts'
import { IconButton } from '../ui/controls/button.tsx'
import { Plus } from '../ui/icons.ts'
import { SidebarContent, SidebarHeading } from '../ui/layout/sidebar-slot.tsx'
import { NameDialog } from '../ui/overlays/ask-dialogs.tsx'
import { createFolder } from './drive.queries.ts'
import { FolderTree } from './folders/folder-tree.tsx'

/** Sidebar content of the drive, around the open folder. */
export function DrivePage() {
  const { folderId } = useParams({ strict: false })
  const [isNaming, setNaming] = useState(false)
  const mayCreate = useMay('create_knowledgebase')
  return (
    <>
      <SidebarContent>
        <SidebarHeading
          action={mayCreate && <IconButton label={t`New folder`} icon={Plus} onClick={() => setNaming(true)} />}
        >
          <Link to="/drive" className="hover:text-ink">
            <Trans>Folders</Trans>
          </Link>
        </SidebarHeading>
        <FolderTree openId={folderId ?? null} />
      </SidebarContent>
      <Outlet />
      {isNaming && (
        <NameDialog
          title={t`New folder`}
          label={t`Name`}
          confirm={t`Create`}
          act={(name) => createFolder(name, null)}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  )
}
