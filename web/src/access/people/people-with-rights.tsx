import { plural } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { PersonFace } from './person-face.tsx'

interface Person {
  id: string
  name: string
  picture_url: string | null
}

interface PeopleWithRightsProps<Of extends Person> {
  label: string
  people: readonly Of[]
  /** Members that there are beside those of the list. */
  more: number
  describe: (person: Of) => { level: string; isNone: boolean; reason: string }
  /** Stands below the list. */
  children?: ReactNode
}

/** Members of the workspace with what they may do, and why. */
export function PeopleWithRights<Of extends Person>({
  label,
  people,
  more,
  describe,
  children,
}: PeopleWithRightsProps<Of>) {
  if (people.length === 0)
    return (
      <p className="text-muted">
        <Trans>The workspace has no members yet.</Trans>
      </p>
    )
  return (
    <>
      <ul aria-label={label} className="divide-y divide-line rounded-control border border-line">
        {people.map((person) => {
          const { level, isNone, reason } = describe(person)
          return (
            <li key={person.id} className="flex flex-wrap items-center gap-x-3 px-3.5 py-2">
              <PersonFace
                name={person.name}
                id={person.id}
                pictureUrl={person.picture_url}
                className="size-7 text-xs"
              />
              <span className="min-w-32 flex-1 font-medium wrap-anywhere">{person.name}</span>
              <span className={isNone ? 'text-muted' : ''}>{level}</span>
              <span className="w-full text-sm text-muted wrap-anywhere">{reason}</span>
            </li>
          )
        })}
      </ul>
      {children}
      {more > 0 && (
        <p className="mt-2 text-sm text-muted">
          <Trans>And {plural(more, { one: '# more member', other: '# more members' })}.</Trans>
        </p>
      )}
    </>
  )
}
