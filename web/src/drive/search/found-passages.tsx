import type { KnowledgeBase } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { shorten } from '../../platform/format.ts'
import { formatLocation } from '../../platform/format-location.ts'
import { Spinner } from '../../ui/controls/button.tsx'
import { Search } from '../../ui/icons.ts'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { citationPosition } from '../addresses.ts'
import { readableLine } from '../preview/passages/passage-table.ts'
import { findPassages } from './find-passages.ts'

const EXCERPT = 180

/** Shortest text that is searched in what files say. */
const SHORTEST = 3

interface FoundPassagesProps {
  folder: KnowledgeBase | null
  search: string
  /** Whether no name holds the text, so that this is all there is to see. */
  isAlone: boolean
}

/** Passages of files that say what is searched, below the names that hold it. */
export function FoundPassages({ folder, search, isAlone }: FoundPassagesProps) {
  const isSearched = search.length >= SHORTEST
  const {
    data: hits = [],
    error,
    refetch,
    isPending,
  } = useQuery({
    queryKey: ['found-passages', folder?._id, search],
    queryFn: ({ signal }) => findPassages(folder, search, signal),
    enabled: isSearched,
    staleTime: 60_000,
  })
  if (error) return <ReadProblem className="m-4 sm:m-6" error={error} onRetry={refetch} />
  if (isSearched && isPending)
    return (
      isAlone && (
        <div className="flex justify-center p-16 text-muted">
          <Spinner label={t`Looking into the documents`} />
        </div>
      )
    )
  if (hits.length === 0) return isAlone && <NothingFound folder={folder} search={search} isSearched={isSearched} />
  return (
    <section aria-label={t`In the documents`} className="px-4 py-5 not-first:border-t not-first:border-line sm:px-6">
      <h2 className={isAlone ? 'font-semibold' : 'mb-2 font-semibold'}>
        <Trans>In the documents</Trans>
      </h2>
      {isAlone && (
        <p className="mb-2 text-sm text-muted">{t`No name has “${search}” in it, but these documents mention it:`}</p>
      )}
      <ul className="divide-y divide-line">
        {hits.map(({ data_source_id, title, location, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a file may be found with several passages.
          <li key={index} className="relative py-2.5">
            <Link
              to="/drive/file/$fileId"
              params={{ fileId: data_source_id }}
              search={citationPosition({ location, text })}
              className="font-medium wrap-anywhere before:absolute before:inset-0 hover:underline"
            >
              <bdi>{title}</bdi>
            </Link>
            {formatLocation(location) && <span className="ms-2 text-sm text-muted">{formatLocation(location)}</span>}
            <p dir="auto" className="text-sm text-muted wrap-anywhere">
              {shorten(readableLine(text, search), EXCERPT)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface NothingFoundProps {
  folder: KnowledgeBase | null
  search: string
  /** Whether what the files say was searched, too. */
  isSearched: boolean
}

const NothingFound = ({ folder, search, isSearched }: NothingFoundProps) => (
  <EmptyState icon={Search} title={t`Nothing found`}>
    {isSearched
      ? folder
        ? t`Neither a name nor a document in “${folder.name}” and below has “${search}”.`
        : t`Neither a name nor a document has “${search}”.`
      : t`No name has “${search}” in it. From ${SHORTEST} letters on, what the documents say is searched, too.`}
  </EmptyState>
)
