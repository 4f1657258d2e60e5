import { t } from '@lingui/core/macro'
import type { Draft } from '../draft.ts'
import { PartSection } from '../part-section.tsx'
import { FilterFields } from './filter-fields.tsx'

/** Filter of the agent: which files of its folders it reads. */
export const FilterPart = ({ draft: { fields, change } }: { draft: Draft }) => (
  <PartSection
    title={t`Only some files`}
    about={
      fields.filters
        ? t`It searches, lists and reads only those files of its folders whose metadata meets this.`
        : t`It reads all files of its folders. Conditions on their metadata narrow that, such as a department or a date.`
    }
  >
    <FilterFields
      filter={fields.filters}
      folderIds={fields.knowledge_base_ids}
      onChange={(filters) => change({ filters })}
    />
  </PartSection>
)
