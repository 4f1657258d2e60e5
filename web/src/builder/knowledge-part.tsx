import { t } from '@lingui/core/macro'
import { FolderPicker } from '../drive/drive.ts'
import { type Draft, withFolders } from './draft.ts'

/** Folders that the agent searches. */
export const KnowledgePart = ({ draft: { fields, change } }: { draft: Draft }) => (
  <FolderPicker
    label={t`Folders`}
    hint={t`It answers from the files in these folders and in all folders below them, and cites the passages that it used.`}
    chosen={fields.knowledge_base_ids}
    onChange={(ids) => change(withFolders(fields, ids))}
  />
)
