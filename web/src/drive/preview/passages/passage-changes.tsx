import type { DataSource, Passage, PassageEdit } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { docent, queryClient } from '../../../access/access.ts'
import { explain } from '../../../platform/errors.ts'
import { Button, IconButton } from '../../../ui/controls/button.tsx'
import { Field, Textarea } from '../../../ui/fields/field.tsx'
import { Ellipsis, Pencil, Plus, RotateCcw, X } from '../../../ui/icons.ts'
import { FormDialog } from '../../../ui/overlays/form-dialog.tsx'
import { Menu, MenuItem } from '../../../ui/overlays/menu.tsx'
import { toast } from '../../../ui/overlays/toasts.tsx'
import { refreshFiles } from '../../drive.queries.ts'

const LOOK_MS = 300
const MOST_LOOKS = 100

/** Waits until searches find a change, and shows the file as it is then. */
async function whenFound({ knowledge_base_id: folderId, id, updated_at }: DataSource): Promise<void> {
  for (let look = 0; look < MOST_LOOKS; look++) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    if ((await docent().dataSources.get(folderId, id)).updated_at !== updated_at) break
  }
  await Promise.all([refreshFiles(folderId), queryClient.invalidateQueries({ queryKey: ['passage-edits', id] })])
}

interface ChangedPassage {
  file: DataSource
  passage: Passage
}

/** Menu of a passage, with which it is edited, switched off, or gets another one after it. */
export function PassageMenu({ file, passage }: ChangedPassage) {
  const [asked, setAsked] = useState<'edit' | 'add' | null>(null)
  const place = passage.ordinal + 1
  const off = useMutation({
    mutationFn: async () => {
      const { ordinal, text } = passage
      await docent().dataSources.passageEdits.create(file.knowledge_base_id, file.id, {
        kind: 'off',
        ordinal,
        was: text,
      })
      await whenFound(file)
    },
    onError: (error) => toast(explain(error), { isError: true }),
  })
  const label = t`Change passage ${place}`
  return (
    <>
      <Menu
        label={label}
        trigger={(props) => <IconButton {...props} label={label} icon={Ellipsis} disabled={off.isPending} />}
      >
        <MenuItem icon={Pencil} onSelect={() => setAsked('edit')}>{t`Edit…`}</MenuItem>
        <MenuItem icon={Plus} onSelect={() => setAsked('add')}>{t`Add one after it…`}</MenuItem>
        <MenuItem icon={X} onSelect={() => off.mutate()}>{t`Switch off`}</MenuItem>
      </Menu>
      {asked && <PassageDialog file={file} passage={passage} kind={asked} onClose={() => setAsked(null)} />}
    </>
  )
}

/** Place that adds a passage before all others. */
const BEGINNING = -1

/** Button that adds a passage before all others; quiet above a list. */
export function AddAtBeginning({ file, isQuiet = false }: { file: DataSource; isQuiet?: boolean }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        icon={Plus}
        {...(isQuiet && { variant: 'quiet', className: 'mb-2 -ms-3 text-muted' })}
        onClick={() => setOpen(true)}
      >
        <Trans>Add a passage at the beginning</Trans>
      </Button>
      {isOpen && (
        <PassageDialog file={file} passage={{ ordinal: BEGINNING }} kind="add" onClose={() => setOpen(false)} />
      )}
    </>
  )
}

interface PassageDialogProps {
  file: DataSource
  /** Passage to edit or to add one after; at the beginning of the file it has no text. */
  passage: { ordinal: number; text?: string }
  kind: 'edit' | 'add'
  onClose: () => void
}

function PassageDialog({ file, passage: { ordinal, text: was }, kind, onClose }: PassageDialogProps) {
  const [text, setText] = useState(kind === 'edit' ? (was ?? '').trim() : '')
  const save = useMutation({
    mutationFn: async () => {
      await docent().dataSources.passageEdits.create(file.knowledge_base_id, file.id, { kind, ordinal, was, text })
      await whenFound(file)
    },
    onSuccess: onClose,
  })
  return (
    <FormDialog
      title={kind === 'edit' ? t`Edit the passage` : t`Add a passage`}
      width="wide"
      saving={save}
      save={t`Save`}
      isDisabled={text.trim() === ''}
      onSave={() => save.mutate()}
      onClose={onClose}
    >
      <Field
        label={t`Text`}
        hint={t`Answers come from this text, and say that it was edited by hand. The file itself stays as it is.`}
      >
        {(control) => (
          <Textarea
            {...control}
            rows={8}
            maxLength={8000}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
    </FormDialog>
  )
}

/** Changes that people made to the passages of a file; none while they are read. */
export function usePassageEdits({ knowledge_base_id: folderId, id, updated_at }: DataSource): PassageEdit[] {
  const { data } = useQuery({
    queryKey: ['passage-edits', id, updated_at],
    queryFn: () => docent().dataSources.passageEdits.list(folderId, id),
  })
  return data ?? NO_EDITS
}

const NO_EDITS: PassageEdit[] = []

/** Changes of a file that cannot be seen in its text: passages that are switched off, and those whose place is gone. */
export function HiddenChanges({ file, isWritable }: { file: DataSource; isWritable: boolean }) {
  const { knowledge_base_id: folderId, id } = file
  const edits = usePassageEdits(file)
  const undo = useMutation({
    mutationFn: async (editId: string) => {
      await docent().dataSources.passageEdits.undo(folderId, id, editId)
      await whenFound(file)
    },
    onError: (error) => toast(explain(error), { isError: true }),
  })
  const hidden = edits.filter(({ kind, state }) => kind === 'off' || state === 'orphaned')
  if (hidden.length === 0) return null
  return (
    <section
      aria-label={t`Manual changes that are not shown below`}
      className="mb-4 rounded-card border border-line bg-raised p-4 text-sm"
    >
      <p className="mb-2 text-muted">
        <Trans>Not found by searches:</Trans>
      </p>
      <ul className="space-y-2">
        {hidden.map((edit) => (
          <li key={edit.id} className="flex items-start gap-3">
            <p className="min-w-0 flex-1">
              <span className="me-2 text-muted">
                {edit.state === 'orphaned' ? t`Its place is gone from the file` : t`Switched off`}
              </span>
              <span className="line-clamp-2 wrap-anywhere">{edit.text ?? edit.anchor_text}</span>
            </p>
            {isWritable && (
              <Button icon={RotateCcw} disabled={undo.isPending} onClick={() => undo.mutate(edit.id)}>
                {edit.state === 'orphaned' ? t`Throw away` : t`Switch on`}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Mark of a passage that somebody changed, with which the change is taken back. */
export function ByHand({ file, passage, isWritable }: ChangedPassage & { isWritable: boolean }) {
  const { by_hand: change, edit_id: editId } = passage.location
  const undo = useMutation({
    mutationFn: async () => {
      await docent().dataSources.passageEdits.undo(file.knowledge_base_id, file.id, editId!)
      await whenFound(file)
    },
    onError: (error) => toast(explain(error), { isError: true }),
  })
  if (!change) return null
  return (
    <span className="mt-1 flex flex-wrap items-center gap-1">
      <span className="text-ink">{change === 'edited' ? t`edited by hand` : t`added by hand`}</span>
      {isWritable && editId && (
        <button
          type="button"
          className="underline underline-offset-2 disabled:opacity-50"
          disabled={undo.isPending}
          onClick={() => undo.mutate()}
        >
          <Trans>Undo</Trans>
        </button>
      )}
    </span>
  )
}
