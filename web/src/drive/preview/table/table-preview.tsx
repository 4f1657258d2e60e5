// biome-ignore-all lint/suspicious/noArrayIndexKey: columns have no names of their own.
// biome-ignore-all lint/a11y/useSemanticElements: rows that are set by hand, of which most are not there, are no table to a browser.
// biome-ignore-all lint/a11y/useFocusableInteractive: nothing in it can be chosen.

import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, useState } from 'react'
import { formatNumber } from '../../../platform/format.ts'
import { startWorker } from '../../../platform/worker.ts'
import { cx } from '../../../ui/class-names.ts'
import { decodeText, useContent } from '../content.ts'
import { Opening, type PreviewProps } from '../opening.tsx'
import { rowsOf } from '../passages/cited-rows.ts'
import { PreviewError, UnreadableError } from '../preview-error.tsx'
import type { Target } from '../target.ts'
import type { Sheet, TableReply } from './table.worker.ts'
import workerUrl from './table.worker.ts?worker&url'

const ROW_PX = 32
const SAMPLED_ROWS = 200
const WIDEST_CH = 42

/** Sheets of a table as a grid, with the rows of the passage marked. */
export default function TablePreview({ file, target, onMarked }: PreviewProps) {
  const { data: blob, error, refetch } = useContent(file)
  const isText = file.media_type.startsWith('text/')
  const { data: sheets, error: problem } = useQuery({
    queryKey: ['sheets', file.id, file.updated_at],
    enabled: blob !== undefined,
    gcTime: 10_000,
    queryFn: ({ signal }) => readTable(blob!, isText, signal),
  })
  const wanted = sheets?.findIndex(({ name }) => name === target?.location.sheet)
  const [chosen, setChosen] = useState<number>()
  const index = chosen ?? (wanted !== undefined && wanted >= 0 ? wanted : 0)
  const sheet = sheets?.[index]
  const isTargetHere = target?.location.row_start !== undefined && (chosen === undefined || index === wanted)
  useEffect(() => {
    if (target && sheets) onMarked(target.location.row_start !== undefined)
  }, [target, sheets, onMarked])

  if (error) return <PreviewError error={error} onRetry={refetch} />
  if (problem) return <PreviewError error={problem} />
  if (!sheet)
    return sheets ? (
      <p className="p-8 text-muted">
        <Trans>This workbook has no sheets.</Trans>
      </p>
    ) : (
      <Opening />
    )
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <Grid key={index} sheet={sheet} marked={isTargetHere ? markedRows(target) : []} />
      {(sheets!.length > 1 || sheet.isCut) && (
        <footer className="flex shrink-0 items-center gap-1 overflow-x-auto scroll-quiet border-t border-line bg-canvas px-3 py-1.5">
          {sheets!.length > 1 &&
            sheets!.map(({ name }, at) => (
              <button
                key={name}
                type="button"
                aria-pressed={at === index}
                onClick={() => setChosen(at)}
                className="shrink-0 rounded-control px-3 py-1 whitespace-nowrap text-muted hover:bg-hover aria-pressed:bg-raised aria-pressed:font-medium aria-pressed:text-ink aria-pressed:shadow-raised"
              >
                {name}
              </button>
            ))}
          {sheet.isCut && (
            <p className="ml-auto shrink-0 text-sm text-muted">
              <Trans>The first {formatNumber(sheet.rows.length)} rows</Trans>
            </p>
          )}
        </footer>
      )}
    </div>
  )
}

/** Numbers of the rows to mark: those that are meant of the passage, or all of it. */
function markedRows({ text, rows, location: { row_start: first, row_end: last = first } }: Target): number[] {
  if (first === undefined) return []
  const all = Array.from({ length: last! - first + 1 }, (_, at) => first + at)
  const lines = rowsOf(text)
  // Empty rows have no line: then it is not known which line is which row.
  if (rows.length === 0 || lines.length !== all.length) return all
  return all.filter((_, at) => rows.includes(lines[at]!))
}

function Grid({ sheet, marked }: { sheet: Sheet; marked: number[] }) {
  const scroller = useRef<HTMLElement>(null)
  const columns = useMemo(() => measureColumns(sheet), [sheet])
  const isNumber = useMemo(() => columns.map((_, at) => holdsNumbers(sheet, at)), [sheet, columns])
  const [header, ...rows] = sheet.rows
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 20,
  })
  const [first] = marked
  useEffect(() => {
    // The first row of the sheet is the header of the others.
    if (first !== undefined) virtualizer.scrollToIndex(Math.max(0, first - 2), { align: 'center' })
  }, [first, virtualizer])
  const isMarked = (number: number) => marked.includes(number)

  const grid = { gridTemplateColumns: `3.5rem ${columns.map((ch) => `${ch}ch`).join(' ')}` }
  const cellClass = 'truncate border-r border-line px-2.5 leading-8'
  const numberClass = 'sticky left-0 border-r border-line bg-canvas pr-2 text-right leading-8 text-muted tabular-nums'
  return (
    <section
      ref={scroller}
      aria-label={t`Table`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys, too.
      tabIndex={0}
      className="min-h-0 flex-1 overflow-auto scroll-quiet outline-offset-[-2px]"
    >
      <div
        role="table"
        aria-label={sheet.name || t`Rows`}
        aria-rowcount={sheet.rows.length}
        className="w-fit min-w-full text-sm"
      >
        <div
          role="row"
          aria-rowindex={1}
          className="sticky top-0 z-1 grid border-b border-line-strong bg-canvas"
          style={grid}
        >
          <span aria-hidden className={numberClass}>
            1
          </span>
          {columns.map((_, at) => (
            <span
              key={at}
              role="columnheader"
              title={header?.[at]}
              className={cx(
                cellClass,
                'font-medium',
                isNumber[at] && 'text-right',
                isMarked(1) && 'bg-mark text-on-mark',
              )}
            >
              {header?.[at]}
            </span>
          ))}
        </div>
        <div role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const number = index + 2
            return (
              <div
                key={index}
                role="row"
                aria-rowindex={number}
                className={cx(
                  'absolute inset-x-0 top-0 grid border-b border-line',
                  isMarked(number) && 'bg-mark text-on-mark',
                )}
                style={{ ...grid, transform: `translateY(${start}px)`, height: ROW_PX }}
              >
                <span aria-hidden className={numberClass}>
                  {number}
                </span>
                {columns.map((_, at) => (
                  <span
                    key={at}
                    role="cell"
                    title={rows[index]![at]}
                    className={cx(cellClass, isNumber[at] && 'text-right tabular-nums')}
                  >
                    {rows[index]![at]}
                  </span>
                ))}
              </div>
            )
          })}
        </div>
      </div>
    </section>
  )
}

const NUMBER = /^[-+]?[$€£¥]?\s?\d[\d.,\s]*\s?[%€]?$/

/** Whether a column has only numbers below its header. */
function holdsNumbers({ rows }: Sheet, at: number): boolean {
  const filled = rows.slice(1, SAMPLED_ROWS).flatMap((row) => row[at]?.trim() || [])
  return filled.length > 0 && filled.every((cell) => NUMBER.test(cell))
}

/** Column widths in characters, wide enough for most cells. */
function measureColumns({ rows }: Sheet): number[] {
  const sample = rows.slice(0, SAMPLED_ROWS)
  const count = sample.reduce((most, row) => Math.max(most, row.length), 1)
  return Array.from({ length: count }, (_, at) => {
    const longest = sample.reduce((most, row) => Math.max(most, row[at]?.length ?? 0), 4)
    return Math.min(longest, WIDEST_CH) + 5
  })
}

async function readTable(blob: Blob, isText: boolean, signal: AbortSignal): Promise<Sheet[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Sheet[]>()
  const worker = startWorker(workerUrl)
  signal.addEventListener('abort', () => reject(signal.reason))
  worker.onerror = () => reject(new UnreadableError(t`The table could not be opened in this browser.`))
  worker.onmessage = ({ data }: MessageEvent<TableReply>) =>
    'sheets' in data
      ? resolve(data.sheets)
      : reject(
          new UnreadableError(
            data.problem === 'TOO_LARGE'
              ? t`The workbook is too large to be shown. Download it to look at it.`
              : t`This table cannot be shown: ${data.problem}. Download it to look at it.`,
          ),
        )
  worker.postMessage({ bytes: await blob.arrayBuffer(), text: isText ? await decodeText(blob) : null })
  return promise.finally(() => worker.terminate())
}
