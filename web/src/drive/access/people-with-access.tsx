import type { FolderGrants } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { PeopleWithRights } from '../../access/access.ts'
import { Button } from '../../ui/controls/button.tsx'
import { explainPerson, LEVEL_NAMES } from './access-words.ts'

const SHOWN_AT_FIRST = 20

/** Members of the workspace with what they may do in a folder, and why. */
export function PeopleWithAccess({ access, folderId }: { access: FolderGrants; folderId: string }) {
  const [isWhole, setWhole] = useState(false)
  const { people, people_total } = access
  const shown = isWhole ? people : people.slice(0, SHOWN_AT_FIRST)
  return (
    <PeopleWithRights
      label={t`Who can see it`}
      people={shown}
      more={people_total - people.length}
      describe={(person) => ({
        level: LEVEL_NAMES[person.level],
        isNone: person.level === 'none',
        reason: explainPerson(person, folderId),
      })}
    >
      {shown.length < people.length && (
        <Button className="mt-2" onClick={() => setWhole(true)}>
          <Trans>Show all {people.length}</Trans>
        </Button>
      )}
    </PeopleWithRights>
  )
}
