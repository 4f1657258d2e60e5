import type { DataSource, Passage } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { docent } from '../../../access/access.ts'
import { formatLocation, headingsOf } from '../../../platform/format-location.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { FileText } from '../../../ui/icons.ts'
import { EmptyState } from '../../../ui/notices/empty-state.tsx'
import { Opening } from '../opening.tsx'
import { PreviewError } from '../preview-error.tsx'
import type { Target } from '../target.ts'
import { AddAtBeginning, ByHand, HiddenChanges, PassageMenu, usePassageEdits } from './passage-changes.tsx'

const PER_PAGE = 40
const BEFORE = 3

interface PassagesProps {
  file: DataSource
  target: Target | null
  /** Whether its passages may be changed by hand. */
  isWritable: boolean
}

/** File as indexed: passage by passage, each as it is searched and cited. */
export function Passages({ file, target, isWritable }: PassagesProps) {
  const begin = Math.max(0, (target?.ordinal ?? 0) - BEFORE)
  const { data, error, refetch, hasNextPage, fetchNextPage, hasPreviousPage, fetchPreviousPage, isFetching } =
    useInfiniteQuery({
      queryKey: ['passages', file.id, file.updated_at, begin],
      queryFn: async ({ pageParam: { start, limit }, signal }) => {
        const query = { start, limit }
        return { ...(await docent().dataSources.text(file.knowledge_base_id, file.id, query, { signal })), start }
      },
      initialPageParam: { start: begin, limit: PER_PAGE },
      getNextPageParam: ({ next }) => (next === null ? undefined : { start: next, limit: PER_PAGE }),
      getPreviousPageParam({ start }) {
        const earlier = Math.max(0, start - PER_PAGE)
        return start === 0 ? undefined : { start: earlier, limit: start - earlier }
      },
    })
  const marked = useRef<HTMLLIElement>(null)
  const isLoaded = data !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: another passage that is asked for is shown, too.
  useEffect(() => {
    if (isLoaded) marked.current?.scrollIntoView({ block: 'center' })
  }, [isLoaded, target?.ordinal])

  const isSwitchedOff = usePassageEdits(file).some(({ kind, state }) => kind === 'off' && state !== 'orphaned')
  if (error) return <PreviewError error={error} onRetry={refetch} />
  if (!data) return <Opening />
  const passages = data.pages.flatMap((page) => page.passages)
  if (passages.length === 0)
    return (
      <section
        aria-label={t`What Docent reads`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys, too.
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto scroll-quiet outline-offset-[-2px]"
      >
        <div className="mx-auto max-w-[46rem] px-5 py-6 sm:px-8">
          <HiddenChanges file={file} isWritable={isWritable} />
          <EmptyState
            icon={FileText}
            title={isSwitchedOff ? t`Every passage is switched off` : t`No text in this file`}
            action={isWritable && <AddAtBeginning file={file} />}
          >
            {isSwitchedOff ? (
              <Trans>Searches and answers find nothing of this file until a passage is switched on or added.</Trans>
            ) : (
              <Trans>Docent read this file and found no text that could be searched.</Trans>
            )}
          </EmptyState>
        </div>
      </section>
    )
  return (
    <section
      aria-label={t`What Docent reads`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys, too.
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto scroll-quiet outline-offset-[-2px]"
    >
      <div className="mx-auto max-w-[46rem] px-5 py-6 sm:px-8">
        {hasPreviousPage && (
          <Button className="mb-4" isBusy={isFetching} onClick={() => fetchPreviousPage()}>
            <Trans>Show what comes before</Trans>
          </Button>
        )}
        <HiddenChanges file={file} isWritable={isWritable} />
        {isWritable && !hasPreviousPage && <AddAtBeginning file={file} isQuiet />}
        <ol aria-label={t`Passages`} className="space-y-1">
          {passages.map((passage) => (
            <PassageRow
              key={passage.ordinal}
              file={file}
              isWritable={isWritable}
              passage={passage}
              isMarked={passage.ordinal === target?.ordinal}
              ref={passage.ordinal === target?.ordinal ? marked : null}
            />
          ))}
        </ol>
        {hasNextPage && (
          <Button className="mt-4" isBusy={isFetching} onClick={() => fetchNextPage()}>
            <Trans>Show more</Trans>
          </Button>
        )}
      </div>
    </section>
  )
}

interface PassageRowProps {
  file: DataSource
  isWritable: boolean
  passage: Passage
  isMarked: boolean
  ref: React.Ref<HTMLLIElement>
}

const PassageRow = ({ file, isWritable, passage, isMarked, ref }: PassageRowProps) => {
  const { ordinal, text, location } = passage
  // ByHand below says the rest.
  const place = formatLocation({ ...location, by_hand: undefined })
  const heading = headingsOf(location).at(-1)
  return (
    <li
      ref={ref}
      className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-6 gap-y-1 border-t border-line py-4 first:border-t-0 sm:grid-cols-[8rem_minmax(0,1fr)_auto]"
    >
      <div className="text-sm text-muted">
        <span className="tabular-nums">{ordinal + 1}</span>
        {place && <span className="block">{place}</span>}
        {heading && <span className="block truncate">{heading}</span>}
        <ByHand file={file} passage={passage} isWritable={isWritable} />
      </div>
      <p className="leading-relaxed wrap-anywhere whitespace-pre-line max-sm:order-last max-sm:col-span-2">
        {isMarked ? (
          <mark className="box-decoration-clone bg-mark px-0.5 text-on-mark">{text.trim()}</mark>
        ) : (
          text.trim()
        )}
      </p>
      {isWritable && <PassageMenu file={file} passage={passage} />}
    </li>
  )
}
