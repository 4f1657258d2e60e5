import type { VirtualUser } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspaceId } from '../access/access.ts'
import { FolderPicker } from '../drive/drive.ts'
import { explain } from '../platform/errors.ts'
import { Button } from '../ui/controls/button.tsx'
import { CheckField } from '../ui/fields/choice.tsx'
import { Notice } from '../ui/notices/notice.tsx'
import { FormDialog } from '../ui/overlays/form-dialog.tsx'
import { setPersonGrants, usePersonGrants } from './people.queries.ts'

/** Folders from which a person is answered, and the way to change them. */
export function PersonFolders({ person }: { person: VirtualUser }) {
  const { data: grants, error } = usePersonGrants(person.id)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <section>
      <h2 className="mb-3 text-lg font-semibold">
        <Trans>Folders</Trans>
      </h2>
      {error && <Notice>{explain(error)}</Notice>}
      {grants && (
        <div className="flex flex-wrap items-center gap-3">
          <p className="min-w-0 wrap-anywhere">{tell(grants.knowledge_bases)}</p>
          <Button onClick={() => setIsOpen(true)}>
            <Trans>Change folders</Trans>
          </Button>
        </div>
      )}
      {isOpen && grants && (
        <FoldersDialog person={person} granted={grants.knowledge_base_ids} onClose={() => setIsOpen(false)} />
      )}
    </section>
  )
}

function tell(folders: { name: string }[] | null): string {
  if (folders === null) return t`Answered from all that the key that asks may read.`
  if (folders.length === 0) return t`Answered from no folder.`
  return t`Answered only from ${folders.map(({ name }) => name).join(', ')} and what is below.`
}

interface FoldersDialogProps {
  person: VirtualUser
  granted: string[] | null
  onClose: () => void
}

function FoldersDialog({ person, granted, onClose }: FoldersDialogProps) {
  const workspaceId = useWorkspaceId()
  const [chosen, setChosen] = useState(granted)
  const saving = useMutation({
    mutationFn: () => setPersonGrants(workspaceId, person.id, chosen),
    onSuccess: onClose,
  })
  return (
    <FormDialog
      title={t`Folders for ${person.name ?? person.email}`}
      width="wide"
      saving={saving}
      save={t`Save`}
      onSave={() => saving.mutate()}
      onClose={onClose}
    >
      <CheckField
        label={t`Answer only from certain folders`}
        hint={t`No matter who asks for this person, agents find and cite nothing else. Otherwise it is what the key may read.`}
        checked={chosen !== null}
        onChange={({ target }) => setChosen(target.checked ? (granted ?? []) : null)}
      />
      {chosen && (
        <FolderPicker
          label={t`Folders`}
          hint={t`Folders below are included. Without any, nothing is found for this person.`}
          chosen={chosen}
          onChange={setChosen}
        />
      )}
    </FormDialog>
  )
}
