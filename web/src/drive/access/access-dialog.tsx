import type { FolderAccess, FolderAccessEntry, KnowledgeBase } from '@docent/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { saveFolderAccess, useFolderAccess } from './access.queries.ts'
import { describeChanges, LEVEL_NAMES } from './access-words.ts'
import { EntryRows } from './entry-rows.tsx'
import { PeopleWithAccess } from './people-with-access.tsx'

interface AccessDialogProps {
  folder: KnowledgeBase
  onClose: () => void
}

/** Rights of members, groups and everyone to a folder: who can see it and why, and a form to change that. */
export function AccessDialog({ folder, onClose }: AccessDialogProps) {
  const { data, error, refetch } = useFolderAccess(folder._id)
  if (data?.can_change) return <AccessForm folder={folder} access={data} onClose={onClose} />
  return (
    <Dialog title={titleOf(folder)} isWide onClose={onClose}>
      {data ? (
        <>
          <p className="mb-3 text-pretty">
            You do not manage this folder. This is what you may do with it, and who can change that.
          </p>
          <PeopleWithAccess access={data} folderId={folder._id} />
        </>
      ) : error ? (
        <Notice action={<Button onClick={() => refetch()}>Try again</Button>}>{explain(error)}</Notice>
      ) : (
        <p className="text-muted">Loading…</p>
      )}
    </Dialog>
  )
}

const titleOf = ({ name }: KnowledgeBase) => `Who can see “${name}”`

function AccessForm({ folder, access, onClose }: AccessDialogProps & { access: FolderAccess }) {
  const [entries, setEntries] = useState<FolderAccessEntry[]>(access.entries)
  const changes = describeChanges(access.entries, entries)
  const saving = useMutation({
    mutationFn: () => saveFolderAccess(folder._id, toRequest(entries)),
    onSuccess() {
      toast('Saved')
      onClose()
    },
  })
  return (
    <FormDialog
      title={titleOf(folder)}
      isWide
      save="Save"
      saving={saving}
      isDisabled={changes.length === 0}
      onSave={() => saving.mutate()}
      onClose={onClose}
    >
      <section>
        <h3 className="mb-1 font-medium">Rights given here</h3>
        <p className="mb-2 text-sm text-muted text-pretty">
          They hold for all below it, too, unless a folder below has its own. A person’s entry counts before those of
          groups, and those before everyone’s.
        </p>
        <EntryRows access={access} entries={entries} onChange={setEntries} />
      </section>
      {access.inherited.length > 0 && (
        <section>
          <h3 className="mb-1 font-medium">Inherited</h3>
          <ul aria-label="Inherited" className="space-y-1 text-sm">
            {access.inherited.map(({ kind, id, name, level, knowledge_base_name }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: folders that are not shown have no id, and nothing moves
              <li key={`${place}:${kind}:${id}`} className="wrap-anywhere">
                {kind === 'everyone' ? 'Everyone' : name}: {LEVEL_NAMES[level]},{' '}
                <span className="text-muted">
                  from {knowledge_base_name === null ? 'a folder above' : `“${knowledge_base_name}”`}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {changes.length > 0 && (
        <section role="status" className="rounded-control border border-line-strong/60 px-3.5 py-3">
          <h3 className="mb-1 font-medium">Once you save</h3>
          <ul className="list-disc space-y-1 pl-4 wrap-anywhere">
            {changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h3 className="mb-2 font-medium">{changes.length > 0 ? 'Who can see it until then' : 'Who can see it'}</h3>
        <PeopleWithAccess access={access} folderId={folder._id} />
      </section>
    </FormDialog>
  )
}

function toRequest(entries: FolderAccessEntry[]) {
  const ofKind = (kind: 'member' | 'group') =>
    entries.flatMap((entry) => (entry.kind === kind && entry.id ? [{ id: entry.id, level: entry.level }] : []))
  const everyone = entries.find(({ kind }) => kind === 'everyone')?.level ?? null
  return { everyone, members: ofKind('member'), groups: ofKind('group') }
}
