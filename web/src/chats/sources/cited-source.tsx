import type { Citation } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useEffect, useId, useMemo, useRef } from 'react'
import { isVisitor } from '../../access/access.ts'
import {
  citationPosition,
  citingSentences,
  findCitedRows,
  readTable,
  rowsOf,
  useSurroundings,
} from '../../drive/drive.ts'
import { formatLocation, headingsOf } from '../../platform/format-location.ts'
import { buttonClass, IconButton } from '../../ui/controls/button.tsx'
import { ChevronRight, ExternalLink, X } from '../../ui/icons.ts'
import { SourceTable } from './source-table.tsx'

interface SourcePanelProps {
  citation: Citation
  /** Answer that cites it: of a table, the rows that it speaks of are marked. */
  answer?: string
  onClose: () => void
}

/** Cited passage: beside the answer, or over it on narrow screens. Escape closes it. */
export function CitedSource({ citation, answer = '', onClose }: SourcePanelProps) {
  const { index, title, url, location, text, data_source_id } = citation
  const panel = useRef<HTMLElement>(null)
  const titleId = useId()
  const cameFrom = useRef<Element | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: each passage that is opened takes the focus.
  useEffect(() => {
    if (!panel.current!.contains(document.activeElement)) cameFrom.current = document.activeElement
    panel.current!.focus()
    panel.current!.querySelector('[data-passage]')!.scrollTop = 0
  }, [index, text])

  function close() {
    onClose()
    if (cameFrom.current instanceof HTMLElement) cameFrom.current.focus()
  }

  const lines = rowsOf(text)
  const rows = useMemo(() => findCitedRows(text, citingSentences(answer, index)), [text, answer, index])
  const position = formatLocation(location)
  return (
    <section
      ref={panel}
      role="dialog"
      aria-labelledby={titleId}
      tabIndex={-1}
      onKeyDown={(event) => event.key === 'Escape' && close()}
      className="z-10 flex min-h-0 flex-col border-line bg-canvas outline-none max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:max-h-[72dvh] max-lg:animate-rise max-lg:rounded-t-card max-lg:border-t max-lg:shadow-raised lg:w-88 lg:shrink-0 lg:border-s xl:w-100"
    >
      <header className="flex items-start gap-3 p-4 pb-3">
        <span className="mt-0.5 flex h-6 min-w-6 items-center justify-center rounded-[0.35rem] bg-chip px-1 text-sm font-semibold text-on-chip tabular-nums">
          <span className="sr-only">
            <Trans>Source</Trans>{' '}
          </span>
          {index}
        </span>
        <div className="min-w-0 flex-1">
          <h2 id={titleId} className="leading-snug font-semibold wrap-anywhere">
            {title}
          </h2>
          {url && (
            <a
              href={url}
              target="_blank"
              rel="noopener noreferrer nofollow"
              className="mt-0.5 block text-sm text-accent hover:underline wrap-anywhere"
            >
              {url}
            </a>
          )}
          {position && <p className="mt-0.5 text-sm text-muted">{position}</p>}
          {headingsOf(location).length > 0 && <HeadingPath path={headingsOf(location)} />}
        </div>
        {!isVisitor() && (
          <Link
            to="/drive/file/$fileId"
            params={{ fileId: data_source_id }}
            search={{
              ...citationPosition({ location, text }),
              rows: rows.map((row) => lines[row]).join('\n') || undefined,
            }}
            title={t`Open the document at this passage`}
            className={buttonClass('secondary', '-my-1')}
          >
            <ExternalLink size={15} aria-hidden />
            <Trans>Open</Trans>
          </Link>
        )}
        <IconButton label={t`Close the source`} icon={X} onClick={close} className="-mt-1 -me-1" />
      </header>
      <section
        data-passage
        aria-label={t`Passage in its document`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys, too.
        tabIndex={0}
        className="min-h-0 overflow-y-auto scroll-quiet px-4 pb-5 outline-offset-[-2px]"
      >
        <InDocument citation={citation} rows={rows} />
      </section>
    </section>
  )
}

/** Cited passage in its document, with what is around it. */
function InDocument({ citation, rows }: { citation: Citation; rows: number[] }) {
  const { data: around } = useSurroundings(citation, !isVisitor())
  const marked = useRef<HTMLElement>(null)
  const isThere = around !== undefined
  useEffect(() => {
    if (!isThere || !marked.current) return
    const scroller = marked.current.closest('[data-passage]')!
    // The text before it came later: the passage stays where it was read.
    scroller.scrollTop += marked.current.getBoundingClientRect().top - scroller.getBoundingClientRect().top - 72
  }, [isThere])
  const before = around?.before.map(({ text }) => text) ?? []
  const after = around?.after.map(({ text }) => text) ?? []
  const mark = (element: HTMLElement | null) => {
    marked.current = element
  }

  const whole = readTable([...before, citation.text, ...after])
  if (whole) {
    const first = before.flatMap(rowsOf).length
    return <SourceTable table={whole} marked={cited(citation.text, rows).map((row) => first + row)} ref={mark} />
  }
  // A table in a document is between paragraphs, or beside another table.
  const table = readTable([citation.text])
  return (
    <blockquote
      dir="auto"
      className="space-y-3 rounded-card border border-line bg-paper px-4 py-3.5 leading-relaxed wrap-anywhere whitespace-pre-line"
    >
      <Paragraphs texts={before} />
      {table ? (
        <SourceTable table={table} marked={cited(citation.text, rows)} ref={mark} />
      ) : rows.length === 0 ? (
        <p>
          <mark ref={mark} className={markClass}>
            {citation.text.trim()}
          </mark>
        </p>
      ) : (
        rowsOf(citation.text).map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of a passage may read alike.
          <p key={at}>
            {rows.includes(at) ? (
              <mark ref={at === rows[0] ? mark : undefined} className={markClass}>
                {row}
              </mark>
            ) : (
              row
            )}
          </p>
        ))
      )}
      <Paragraphs texts={after} />
    </blockquote>
  )
}

const Paragraphs = ({ texts }: { texts: string[] }) =>
  texts.map((text, at) => {
    const table = readTable([text])
    // biome-ignore lint/suspicious/noArrayIndexKey: passages may read alike.
    return table ? <SourceTable key={at} table={table} marked={[]} /> : <p key={at}>{text.trim()}</p>
  })

/** Rows of a table's passage that the answer speaks of: all of them unless it names some. */
const cited = (passage: string, rows: number[]): number[] => (rows.length > 0 ? rows : [...rowsOf(passage).keys()])

const markClass = 'box-decoration-clone bg-mark px-0.5 text-on-mark'

const HeadingPath = ({ path }: { path: string[] }) => (
  <p className="mt-0.5 flex flex-wrap items-center gap-x-1 text-sm text-muted">
    {path.map((heading, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two headings of a path may be named alike.
      <span key={index} className="flex items-center gap-1">
        {index > 0 && <ChevronRight size={12} className="shrink-0" aria-hidden />}
        {heading}
      </span>
    ))}
  </p>
)
