import type { KnowledgeBase, SearchExplanation, SearchHit } from '@docent/sdk'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { docent } from '../../access/access.ts'
import { formatLocation, headingsOf } from '../../platform/format-location.ts'
import { cx } from '../../ui/class-names.ts'
import { Button } from '../../ui/controls/button.tsx'
import { inputClass } from '../../ui/fields/field.tsx'
import { ChevronRight, TextSearch } from '../../ui/icons.ts'
import { Fold } from '../../ui/layout/fold.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { ProgressBar } from '../../ui/notices/progress-bar.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import { nameTermsAsAsked } from './asked-words.ts'

interface TestSearchProps {
  folder: KnowledgeBase
  question: string
  onAsk: (question: string) => void
}

/** Search results for a question as an agent with this folder would get them, with scores. */
export function TestSearch({ folder, question, onAsk }: TestSearchProps) {
  const [text, setText] = useState(question)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['test-search', folder._id, question],
    enabled: question !== '',
    queryFn: async ({ signal }) => {
      const asked = { query: question, limit: 10, explain: true }
      return nameTermsAsAsked(await docent().knowledgeBases.search(folder._id, asked, { signal }), question)
    },
  })
  const best = data?.[0]?.score ?? 1
  const terms = data?.[0]?.explanation?.terms ?? []
  return (
    <div className="min-h-0 flex-1 overflow-y-auto scroll-quiet">
      <div className="mx-auto max-w-[50rem] px-4 py-6 sm:px-8">
        <form
          className="flex gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            if (!text.trim()) return
            if (text.trim() === question) unawaited(refetch())
            else onAsk(text.trim())
          }}
        >
          <input
            type="search"
            aria-label={t`A question to “${folder.name}”`}
            placeholder={t`Ask as your agents would be asked`}
            // biome-ignore lint/a11y/noAutofocus: who came to ask begins in the box for it.
            autoFocus
            maxLength={2000}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className={cx(inputClass, 'h-11')}
          />
          <Button
            variant="primary"
            type="submit"
            icon={TextSearch}
            isBusy={isFetching}
            disabled={!text.trim()}
            className="h-11 pointer-coarse:h-11"
          >
            <Trans>Find</Trans>
          </Button>
        </form>
        {error && <ReadProblem className="mt-5" error={error} onRetry={refetch} />}
        {question === '' && (
          <EmptyState icon={TextSearch} title={t`What would an agent find?`}>
            <Trans>
              Type a question. You see the passages of “{folder.name}” and the folders below it that an agent would get,
              best first, with the words that made them match.
            </Trans>
          </EmptyState>
        )}
        {data?.length === 0 && (
          <EmptyState icon={TextSearch} title={t`No matches`}>
            <Trans>
              No passage contains a word of this question. Try the words that the documents themselves use, and look
              whether the files are ready.
            </Trans>
          </EmptyState>
        )}
        {data && data.length > 0 && (
          <>
            <p aria-live="polite" className="mt-5 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm text-muted">
              <Trans>
                {plural(data.length, { one: '# passage', other: '# passages' })} for
                {terms.map(({ term, weight }) => (
                  <span key={term} title={t`Weight ${weight.toFixed(1)}: the rarer a word, the more it counts`}>
                    <span className="font-medium text-ink">{term}</span>{' '}
                    <span className="tabular-nums">{weight.toFixed(1)}</span>
                  </span>
                ))}
              </Trans>
            </p>
            <ol aria-label={t`Passages that were found`} className="mt-4 space-y-3">
              {data.map((hit, index) => (
                <Hit key={`${hit.data_source_id} ${hit.explanation?.ordinal}`} hit={hit} rank={index + 1} best={best} />
              ))}
            </ol>
          </>
        )}
      </div>
    </div>
  )
}

function Hit({ hit, rank, best }: { hit: SearchHit; rank: number; best: number }) {
  const { title, location, explanation, data_source_id } = hit
  const headings = headingsOf(location)
  return (
    <li className="rounded-card border border-line bg-raised">
      <div className="flex items-start gap-3 px-4 pt-3.5">
        <span className="mt-0.5 w-5 shrink-0 text-end font-medium text-muted tabular-nums">{rank}</span>
        <div className="min-w-0 flex-1">
          <Link
            to="/drive/file/$fileId"
            params={{ fileId: data_source_id }}
            search={{ at: explanation?.ordinal, page: location.page ?? location.slide }}
            className="font-medium wrap-anywhere hover:underline"
          >
            {title}
          </Link>
          <p className="flex flex-wrap items-center gap-x-1 text-sm text-muted">
            {formatLocation(location)}
            {headings.map((heading, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two headings of a path may be named alike.
              <span key={index} className="flex items-center gap-1">
                {(index > 0 || formatLocation(location)) && <ChevronRight size={12} aria-hidden />}
                {heading}
              </span>
            ))}
          </p>
        </div>
        <div className="w-20 shrink-0 text-end" title={t`Comparable within this list only`}>
          <p className="font-medium tabular-nums">{hit.score < 0.1 ? hit.score.toFixed(4) : hit.score.toFixed(2)}</p>
          <ProgressBar label={t`Score relative to the best`} value={hit.score / best} className="mt-1 h-1.5 w-full" />
        </div>
      </div>
      <p className="px-4 pt-2.5 pb-3 sm:ps-12 leading-relaxed wrap-anywhere whitespace-pre-line">
        <Matched text={hit.text} matches={explanation?.matches ?? []} />
      </p>
      {explanation && <Why explanation={explanation} score={hit.score} />}
    </li>
  )
}

/** Text with the matched words marked. */
function Matched({ text, matches }: { text: string; matches: { start: number; end: number }[] }) {
  const parts: React.ReactNode[] = []
  let from = 0
  for (const { start, end } of matches) {
    if (start < from) continue
    parts.push(text.slice(from, start))
    parts.push(
      <mark key={start} className="rounded-[0.2em] bg-mark px-0.5 text-on-mark">
        {text.slice(start, end)}
      </mark>,
    )
    from = end
  }
  return [...parts, text.slice(from)]
}

function Why({
  explanation: { words, closeness, heading, subject, terms },
  score,
}: {
  explanation: SearchExplanation
  score: number
}) {
  const held = terms.filter(({ count: n, in_title }) => n > 0 || in_title)
  const missing = terms.filter((term) => !held.includes(term))
  return (
    <Fold
      className="border-t border-line px-4 py-2 text-sm text-muted sm:ps-11"
      summary={
        <span className="flex flex-wrap items-center gap-x-3">
          <span className="font-medium">
            <Trans>Why</Trans>
          </span>
          {held.map(({ term, count: n, in_title }) => (
            <span key={term} className="text-ink">
              {term}
              {n > 1 && <span className="text-muted"> ×{n}</span>}
              {in_title && (
                <span className="text-muted">
                  {' '}
                  <Trans>in the title</Trans>
                </span>
              )}
            </span>
          ))}
          {missing.length > 0 && (
            <span>
              <Trans>without {missing.map(({ term }) => term).join(', ')}</Trans>
            </span>
          )}
        </span>
      }
    >
      <dl className="mt-2 grid max-w-sm grid-cols-[1fr_auto] gap-x-6 gap-y-0.5 pb-1 tabular-nums">
        <dt>
          <Trans>Words: how often they occur here, and how rare they are</Trans>
        </dt>
        <dd className="text-end">{words.toFixed(2)}</dd>
        {closeness === null ? (
          <>
            <dt>
              <Trans>Words and meaning, ranked together</Trans>
            </dt>
            <dd className="text-end">{score.toFixed(4)}</dd>
          </>
        ) : (
          <>
            <dt>
              <Trans>Proximity: words of the question side by side</Trans>
            </dt>
            <dd className="text-end">+ {closeness.toFixed(2)}</dd>
            <dt>
              <Trans>Title and headings: words of the question in them</Trans>
            </dt>
            <dd className="text-end">+ {(heading ?? 0).toFixed(2)}</dd>
            <dt>
              <Trans>Subject: words that the best passages share</Trans>
            </dt>
            <dd className="text-end">+ {(subject ?? 0).toFixed(2)}</dd>
            <dt className="font-medium text-ink">
              <Trans>Score</Trans>
            </dt>
            <dd className="text-end font-medium text-ink">{score.toFixed(2)}</dd>
          </>
        )}
      </dl>
      {words === 0 && (
        <p>
          <Trans>No word of the question occurs here: the passage is close in meaning.</Trans>
        </p>
      )}
    </Fold>
  )
}
