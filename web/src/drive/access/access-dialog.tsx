import type { FolderGrant, FolderGrants, KnowledgeBase } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { PendingChanges } from '../../ui/fields/rights-rows.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { describeChanges, LEVEL_NAMES } from './access-words.ts'
import { EntryRows } from './entry-rows.tsx'
import { saveFolderGrants, useFolderGrants } from './grants.queries.ts'
import { PeopleWithAccess } from './people-with-access.tsx'

interface AccessDialogProps {
  folder: KnowledgeBase
  onClose: () => void
}

/** Rights of members, groups and everyone to a folder: who can see it and why, and a form to change that. */
export function AccessDialog({ folder, onClose }: AccessDialogProps) {
  const { data, error, refetch } = useFolderGrants(folder._id)
  if (data?.can_change) return <AccessForm folder={folder} access={data} onClose={onClose} />
  return (
    <Dialog title={titleOf(folder)} width="wide" onClose={onClose}>
      {data ? (
        <>
          <p className="mb-3 text-pretty">
            <Trans>You do not manage this folder. This is what you may do with it, and who can change that.</Trans>
          </p>
          <PeopleWithAccess access={data} folderId={folder._id} />
        </>
      ) : error ? (
        <ReadProblem error={error} onRetry={refetch} />
      ) : (
        <p className="text-muted">
          <Trans>Loading…</Trans>
        </p>
      )}
    </Dialog>
  )
}

const titleOf = ({ name }: KnowledgeBase) => t`Who can see “${name}”`

function AccessForm({ folder, access, onClose }: AccessDialogProps & { access: FolderGrants }) {
  const [entries, setEntries] = useState<FolderGrant[]>(access.grants)
  const changes = describeChanges(access.grants, entries)
  const saving = useMutation({
    mutationFn: () =>
      saveFolderGrants(
        folder._id,
        entries.map(({ kind, id, level }) => ({ kind, id, level })),
      ),
    onSuccess() {
      toast(t`Saved`)
      onClose()
    },
  })
  return (
    <FormDialog
      title={titleOf(folder)}
      width="wide"
      save={t`Save`}
      saving={saving}
      isDisabled={changes.length === 0}
      onSave={() => saving.mutate()}
      onClose={onClose}
    >
      <section>
        <h3 className="mb-1 font-medium">
          <Trans>Rights given here</Trans>
        </h3>
        <p className="mb-2 text-sm text-muted text-pretty">
          <Trans>
            They also apply to everything below it, unless a folder below has its own. If several apply to a person, the
            widest counts.
          </Trans>
        </p>
        <EntryRows access={access} entries={entries} onChange={setEntries} />
      </section>
      {access.inherited.length > 0 && (
        <section>
          <h3 className="mb-1 font-medium">
            <Trans>Inherited</Trans>
          </h3>
          <ul aria-label={t`Inherited`} className="space-y-1 text-sm">
            {access.inherited.map(({ kind, id, name, level, knowledge_base_name }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: folders that are not shown have no id, and nothing moves
              <li key={`${place}:${kind}:${id}`} className="wrap-anywhere">
                {kind === 'workspace' ? t`Everyone` : name}: {LEVEL_NAMES[level]},{' '}
                <span className="text-muted">
                  <Trans>from {knowledge_base_name === null ? t`a folder above` : `“${knowledge_base_name}”`}</Trans>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <PendingChanges changes={changes} />
      <section>
        <h3 className="mb-2 font-medium">{changes.length > 0 ? t`Who can see it until then` : t`Who can see it`}</h3>
        <PeopleWithAccess access={access} folderId={folder._id} />
      </section>
    </FormDialog>
  )
}
