import type { KnowledgeBase } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { shorten } from '../../platform/format.ts'
import { formatLocation } from '../../platform/format-location.ts'
import { citationPosition } from '../addresses.ts'
import { findPassages } from './find-passages.ts'

const EXCERPT = 180

/** Passages of files that say what is searched, below the names that hold it. */
export function FoundPassages({ folder, search }: { folder: KnowledgeBase | null; search: string }) {
  const { data: hits = [] } = useQuery({
    queryKey: ['found-passages', folder?._id, search],
    queryFn: ({ signal }) => findPassages(folder, search, signal),
    staleTime: 60_000,
  })
  if (hits.length === 0) return null
  return (
    <section aria-label={t`In the documents`} className="border-t border-line px-4 py-5 sm:px-6">
      <h2 className="mb-2 font-semibold">
        <Trans>In the documents</Trans>
      </h2>
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
              {title}
            </Link>
            {formatLocation(location) && <span className="ms-2 text-sm text-muted">{formatLocation(location)}</span>}
            <p dir="auto" className="text-sm text-muted wrap-anywhere">
              {shorten(text, EXCERPT)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
