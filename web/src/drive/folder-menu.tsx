import type { KnowledgeBase } from '@docent/sdk'
import { useState } from 'react'
import { ConfirmDialog, NameDialog } from '../ui/ask-dialogs.tsx'
import { IconButton } from '../ui/button.tsx'
import { Ellipsis, Pencil, Trash2 } from '../ui/icons.ts'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { toast } from '../ui/toasts.tsx'
import { deleteFolder, renameFolder } from './drive.queries.ts'

interface FolderMenuProps {
  folder: KnowledgeBase
  onDeleted?: () => void
}

/** What can be done with a folder. */
export function FolderMenu({ folder, onDeleted }: FolderMenuProps) {
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null)
  const close = () => setDialog(null)
  return (
    <>
      <Menu
        label={`Actions for ${folder.name}`}
        trigger={(props) => <IconButton {...props} label={`Actions for ${folder.name}`} icon={Ellipsis} />}
      >
        <MenuItem icon={Pencil} onSelect={() => setDialog('rename')}>
          Rename…
        </MenuItem>
        <MenuItem icon={Trash2} isDangerous onSelect={() => setDialog('delete')}>
          Delete…
        </MenuItem>
      </Menu>
      {dialog === 'rename' && (
        <NameDialog
          title="Rename the folder"
          label="Name"
          initial={folder.name}
          confirm="Rename"
          act={(name) => renameFolder(folder._id, name)}
          onClose={close}
        />
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title="Delete this folder?"
          confirm="Delete"
          act={async () => {
            await deleteFolder(folder._id)
            toast(`“${folder.name}” was deleted`)
            onDeleted?.()
          }}
          onClose={close}
        >
          “{folder.name}” is deleted with all folders and files in it, for good.
        </ConfirmDialog>
      )}
    </>
  )
}
