import type { DataSource, FileReaders, ShownReaders } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { docent } from '../../access/access.ts'
import { formatList } from '../../platform/format.ts'
import { CheckField } from '../../ui/fields/choice.tsx'
import { Field } from '../../ui/fields/field.tsx'
import { TagInput } from '../../ui/fields/tag-input.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { refreshFiles, useFolder } from '../drive.queries.ts'
import { fromNames, toNames } from './reader-names.ts'

interface ReadersDialogProps {
  file: DataSource
  onClose: () => void
}

/** List of who may read a file, of those who may read its folder: who says it, and a form to change that. */
export function ReadersDialog({ file, onClose }: ReadersDialogProps) {
  const { knowledge_base_id: folderId, id } = file
  const { data, error, refetch } = useQuery({
    queryKey: ['file-readers', id],
    queryFn: () => docent().dataSources.readers.get(folderId, id),
    gcTime: 0,
  })
  if (data?.can_change) return <ReadersForm file={file} shown={data} onClose={onClose} />
  return (
    <Dialog title={titleOf(file)} onClose={onClose}>
      {data ? (
        <Told shown={data} file={file} />
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

const titleOf = ({ title }: DataSource) => t`Who can read “${title}”`

function Told({ shown: { is_restricted, readers, from }, file }: { shown: ShownReaders; file: DataSource }) {
  const { data: folder } = useFolder(file.knowledge_base_id)
  const name = folder?.name ?? '…'
  if (!is_restricted)
    return (
      <p>
        <Trans>Everyone who can see the folder “{name}”.</Trans>
      </p>
    )
  return (
    <>
      <p className="text-pretty">
        {from === 'source' ? (
          <Trans>Those who may read it at its source, as far as they can see this folder.</Trans>
        ) : (
          <Trans>Some of those who can see this folder. The people who manage the folder know which.</Trans>
        )}
      </p>
      {readers && <p className="mt-2 break-words">{formatList(toNames(readers)) || t`Nobody but owners and admins`}</p>}
    </>
  )
}

function ReadersForm({ file, shown, onClose }: ReadersDialogProps & { shown: ShownReaders }) {
  const [isListed, setListed] = useState(shown.is_restricted)
  const [names, setNames] = useState(shown.readers ? toNames(shown.readers) : [])
  const saving = useMutation({
    mutationFn: async () => {
      const readers: FileReaders | null = isListed ? fromNames(names) : null
      await docent().dataSources.readers.set(file.knowledge_base_id, file.id, readers)
      await refreshFiles(file.knowledge_base_id)
    },
    onSuccess() {
      toast(t`Saved`)
      onClose()
    },
  })
  return (
    <FormDialog title={titleOf(file)} save={t`Save`} saving={saving} onSave={() => saving.mutate()} onClose={onClose}>
      {shown.from === 'push' && (
        <p className="text-sm text-muted text-pretty">
          <Trans>The program that pushed the file said this, and may say it again with its next push.</Trans>
        </p>
      )}
      <CheckField
        label={t`Only some of those who can see the folder`}
        checked={isListed}
        onChange={({ target }) => setListed(target.checked)}
      />
      {isListed && (
        <Field
          label={t`Readers`}
          hint={t`E-mails, names of groups, or @example.com for everyone with an address there. Owners and admins can read it anyway.`}
        >
          {({ id }) => (
            <TagInput
              id={id}
              tags={names}
              onChange={setNames}
              maxLength={254}
              placeholder={t`ada@example.com, Crew, …`}
            />
          )}
        </Field>
      )}
    </FormDialog>
  )
}
