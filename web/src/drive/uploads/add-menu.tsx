import type { KnowledgeBase } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRef } from 'react'
import { Button } from '../../ui/controls/button.tsx'
import { FilePlus, FolderPlus, FolderUp, Plus } from '../../ui/icons.ts'
import { Menu, MenuItem } from '../../ui/overlays/menu.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import { uploadPicked } from './upload-dropped.ts'
import { addUploads } from './uploads.ts'

interface AddMenuProps {
  /** Null for the root. */
  folder: KnowledgeBase | null
  /** Absent for people who may not create folders. */
  onNewFolder?: () => void
}

/** Menu to add files, whole folders and new folders. */
export function AddMenu({ folder, onNewFolder }: AddMenuProps) {
  const files = useRef<HTMLInputElement>(null)
  const tree = useRef<HTMLInputElement>(null)
  const archives = useRef<HTMLInputElement>(null)
  if (!folder && !onNewFolder) return null
  return (
    <>
      <Menu
        label={t`Add`}
        className="min-w-52"
        trigger={(props) => (
          <Button {...props} variant="primary" icon={Plus}>
            <Trans>Add</Trans>
          </Button>
        )}
      >
        {folder && (
          <MenuItem icon={FilePlus} shortcut="U" onSelect={() => files.current!.click()}>
            <Trans>Add files…</Trans>
          </MenuItem>
        )}
        {folder && (
          <MenuItem icon={FolderUp} onSelect={() => archives.current!.click()}>
            <Trans>Unpack a ZIP as a folder…</Trans>
          </MenuItem>
        )}
        {onNewFolder && (
          <>
            <MenuItem icon={FolderUp} onSelect={() => tree.current!.click()}>
              <Trans>Add a folder…</Trans>
            </MenuItem>
            <MenuItem icon={FolderPlus} shortcut="N" onSelect={onNewFolder}>
              <Trans>New folder…</Trans>
            </MenuItem>
          </>
        )}
      </Menu>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        data-add="files"
        onChange={({ target }) => {
          if (folder && target.files) addUploads(folder._id, target.files)
          target.value = ''
        }}
      />
      <input
        ref={archives}
        type="file"
        multiple
        hidden
        accept=".zip,application/zip"
        data-add="archives"
        onChange={({ target }) => {
          if (folder && target.files) addUploads(folder._id, target.files, { isUnpacked: true })
          target.value = ''
        }}
      />
      <input
        ref={(input) => {
          tree.current = input
          input?.setAttribute('webkitdirectory', '')
        }}
        type="file"
        multiple
        hidden
        data-add="folder"
        onChange={({ target }) => {
          if (target.files) unawaited(uploadPicked(folder, [...target.files]))
          target.value = ''
        }}
      />
    </>
  )
}
