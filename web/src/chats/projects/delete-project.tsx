import type { Project } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useId, useState } from 'react'
import { Checkbox } from '../../ui/fields/checkbox.tsx'
import { ConfirmDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { deleteProject } from './projects.queries.ts'

interface DeleteProjectProps {
  project: Project
  onGone: () => unknown
  onClose: () => void
}

/** Asks what goes with a project that is deleted. */
export function DeleteProject({ project: { id, name }, onGone, onClose }: DeleteProjectProps) {
  const [hasChats, setHasChats] = useState(false)
  const [hasFolder, setHasFolder] = useState(false)
  return (
    <ConfirmDialog
      title={t`Delete “${name}”?`}
      confirm={t`Delete`}
      act={async () => {
        await deleteProject(id, { delete_chats: hasChats, delete_folder: hasFolder })
        await onGone()
      }}
      onClose={onClose}
    >
      <p>
        <Trans>Its chats stay with those who have them, and its folder stays in the drive, unless you choose so.</Trans>
      </p>
      <Choice label={t`Delete my chats in it, too`} isChosen={hasChats} onChange={setHasChats} />
      <Choice label={t`Delete its folder with all files, too`} isChosen={hasFolder} onChange={setHasFolder} />
    </ConfirmDialog>
  )
}

interface ChoiceProps {
  label: string
  isChosen: boolean
  onChange: (isChosen: boolean) => void
}

function Choice({ label, isChosen, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <div className="mt-3 flex items-center gap-2.5 text-ink">
      <Checkbox id={id} checked={isChosen} onChange={({ target }) => onChange(target.checked)} />
      <label htmlFor={id}>{label}</label>
    </div>
  )
}
