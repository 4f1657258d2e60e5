import type { KnowledgeBase } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { explain } from '../../platform/errors.ts'
import { Field } from '../../ui/fields/field.tsx'
import { TagInput } from '../../ui/fields/tag-input.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { tagFolder, useFolders } from '../drive.queries.ts'

/** Dialog to edit a folder's tags. */
export function TagsDialog({ folder, onClose }: { folder: KnowledgeBase; onClose: () => void }) {
  const [tags, setTags] = useState(folder.user_defined_tags)
  const { data: siblings = [] } = useFolders(folder.parent_kb_id)
  const known = [...new Set(siblings.flatMap(({ user_defined_tags }) => user_defined_tags))].sort()
  const save = useMutation({ mutationFn: () => tagFolder(folder._id, tags), onSuccess: onClose })
  return (
    <FormDialog
      title={t`Tags of “${folder.name}”`}
      onClose={onClose}
      saving={{ error: null, isPending: save.isPending }}
      save={t`Save`}
      onSave={() => save.mutate()}
    >
      <Field
        label={t`Tags`}
        hint={t`Enter or a comma adds a tag. A click on a tag above a list shows only the folders that have it.`}
        error={save.error && explain(save.error)}
      >
        {({ id }) => (
          <TagInput id={id} tags={tags} onChange={setTags} known={known} placeholder={t`archive, 2026, …`} />
        )}
      </Field>
    </FormDialog>
  )
}
