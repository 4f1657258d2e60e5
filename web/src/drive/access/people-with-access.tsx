import type { FolderGrants } from '@docent/sdk'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { PersonFace } from '../../access/access.ts'
import { Button } from '../../ui/controls/button.tsx'
import { explainPerson, LEVEL_NAMES } from './access-words.ts'

const SHOWN_AT_FIRST = 20

/** Members of the workspace with what they may do, and why. */
export function PeopleWithAccess({ access, folderId }: { access: FolderGrants; folderId: string }) {
  const [isWhole, setWhole] = useState(false)
  const { people, people_total } = access
  const shown = isWhole ? people : people.slice(0, SHOWN_AT_FIRST)
  if (people.length === 0)
    return (
      <p className="text-muted">
        <Trans>The workspace has no members yet.</Trans>
      </p>
    )
  return (
    <>
      <ul aria-label={t`Who can see it`} className="divide-y divide-line rounded-control border border-line">
        {shown.map((person) => (
          <li key={person.id} className="flex flex-wrap items-center gap-x-3 px-3.5 py-2">
            <PersonFace name={person.name} id={person.id} pictureUrl={person.picture_url} className="size-7 text-xs" />
            <span className="min-w-32 flex-1 font-medium wrap-anywhere">{person.name}</span>
            <span className={person.level === 'none' ? 'text-muted' : ''}>{LEVEL_NAMES[person.level]}</span>
            <span className="w-full text-sm text-muted wrap-anywhere">{explainPerson(person, folderId)}</span>
          </li>
        ))}
      </ul>
      {shown.length < people.length && (
        <Button className="mt-2" onClick={() => setWhole(true)}>
          <Trans>Show all {people.length}</Trans>
        </Button>
      )}
      {people_total > people.length && (
        <p className="mt-2 text-sm text-muted">
          <Trans>And {plural(people_total - people.length, { one: '# more member', other: '# more members' })}.</Trans>
        </p>
      )}
    </>
  )
}
