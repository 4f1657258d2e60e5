import type { VirtualUser } from '@docent/sdk'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspaceId } from '../access/access.ts'
import { explain } from '../platform/errors.ts'
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
      <Dialog title={t`Erased`} onClose={onErased}>
        <p>
          <Trans>{person.email} is gone, and with them:</Trans>
        </p>
        <ul className="mt-2 list-disc space-y-1 ps-5">
          <li>
            <Trans>{plural(messages_deleted, { one: '# message', other: '# messages' })} with their answers</Trans>
          </li>
          <li>
            <Trans>
              {plural(chats_deleted, { one: '# chat', other: '# chats' })} in which nobody else asked anything
            </Trans>
          </li>
          <li>
            <Trans>{plural(uploads_deleted, { one: '# upload', other: '# uploads' })} that were not used yet</Trans>
          </li>
          <li>
            <Trans>
              their name on {plural(files_anonymised, { one: '# document', other: '# documents' })}, which stay in their
              folders
            </Trans>
          </li>
        </ul>
        <div className="mt-5 flex justify-end">
          <Button variant="primary" onClick={onErased}>
            <Trans>Done</Trans>
          </Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title={t`Erase this person?`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isSure) erasing.mutate()
        }}
      >
        <p>
          <Trans>This is deleted for good:</Trans>
        </p>
        <ul className="mt-2 mb-4 list-disc space-y-1 ps-5">
          <li>
            <Trans>the profile of {person.email}</Trans>
          </li>
          <li>
            <Trans>
              {usage ? plural(usage.messages, { one: '# message', other: '# messages' }) : t`all messages`} that they
              sent, with answers, feedback and files
            </Trans>
          </li>
          <li>
            <Trans>chats in which nobody else asked anything, and uploads that wait</Trans>
          </li>
        </ul>
        <p className="mb-4 text-muted">
          <Trans>Documents that they put into folders stay, without their name.</Trans>
        </p>
        <Field label={t`Type their e-mail to continue`}>
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
          <Button onClick={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button variant="danger" type="submit" isBusy={erasing.isPending} disabled={!isSure}>
            <Trans>Erase</Trans>
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
