import type { VirtualUser } from '@docent/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspaceId } from '../access/access.ts'
import { explain } from '../platform/errors.ts'
import { count } from '../platform/format.ts'
import { Button } from '../ui/controls/button.tsx'
import { Field, Input } from '../ui/fields/field.tsx'
import { Notice } from '../ui/notices/notice.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { erasePerson, usePersonUsage } from './people.queries.ts'

interface EraseDialogProps {
  person: VirtualUser
  onClose: () => void
  /** Called when the person is erased and somebody has read the summary. */
  onErased: () => void
}

/** Lists the data to erase, erases it, and shows what was erased. */
export function EraseDialog({ person, onClose, onErased }: EraseDialogProps) {
  const workspaceId = useWorkspaceId()
  const { data: usage } = usePersonUsage(person.id)
  const [typed, setTyped] = useState('')
  const erasing = useMutation({ mutationFn: () => erasePerson(workspaceId, person.id) })
  const isSure = typed.trim().toLowerCase() === person.email.toLowerCase()

  if (erasing.data) {
    const { messages_deleted, chats_deleted, uploads_deleted, files_anonymised } = erasing.data
    return (
      <Dialog title="Erased" onClose={onErased}>
        <p>{person.email} is gone, and with them:</p>
        <ul className="mt-2 list-disc space-y-1 ps-5">
          <li>{count(messages_deleted, 'message')} with their answers</li>
          <li>{count(chats_deleted, 'chat')} in which nobody else asked anything</li>
          <li>{count(uploads_deleted, 'upload')} that were not used yet</li>
          <li>their name on {count(files_anonymised, 'document')}, which stay in their folders</li>
        </ul>
        <div className="mt-5 flex justify-end">
          <Button variant="primary" onClick={onErased}>
            Done
          </Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title="Erase this person?" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isSure) erasing.mutate()
        }}
      >
        <p>This is deleted for good:</p>
        <ul className="mt-2 mb-4 list-disc space-y-1 ps-5">
          <li>the profile of {person.email}</li>
          <li>
            {usage ? count(usage.messages, 'message') : 'all messages'} that they sent, with answers, feedback and files
          </li>
          <li>chats in which nobody else asked anything, and uploads that wait</li>
        </ul>
        <p className="mb-4 text-muted">Documents that they put into folders stay, without their name.</p>
        <Field label="Type their e-mail to continue">
          {(control) => (
            <Input
              {...control}
              autoFocus
              autoComplete="off"
              spellCheck={false}
              placeholder={person.email}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
          )}
        </Field>
        {erasing.error && <Notice className="mt-4">{explain(erasing.error)}</Notice>}
        <div className="mt-5 flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" type="submit" isBusy={erasing.isPending} disabled={!isSure}>
            Erase
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
