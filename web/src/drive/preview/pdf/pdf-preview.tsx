import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useCallback, useEffect, useRef, useState } from 'react'
import { IconButton } from '../../../ui/controls/button.tsx'
import { ZoomIn, ZoomOut } from '../../../ui/icons.ts'
import { unawaited } from '../../../ui/unawaited.ts'
import { Opening, type PreviewProps } from '../opening.tsx'
import { findRange, markRanges, unmarkPassage } from '../passages/mark-passage.ts'
import { PreviewError, UnreadableError } from '../preview-error.tsx'
import { openPdf } from './pdf-document.ts'
import { PdfPage } from './pdf-page.tsx'

const GAP = 16
const WIDEST = 860
/** Share of a passage from which it is assumed to end on its page. */
const WHOLE = 0.85
const ZOOMS = [0.5, 0.75, 1, 1.25, 1.5, 2, 3]

/** PDF preview that opens at the requested page and passage. */
export default function PdfPreview(props: PreviewProps) {
  const { file } = props
  const [leaving] = useState(() => new AbortController())
  useEffect(() => () => leaving.abort(), [leaving])
  const { data, error } = useQuery({
    queryKey: ['pdf', file.id, file.updated_at],
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => open(file, leaving.signal),
  })
  if (error) return <PreviewError error={error} />
  return data ? <Pages {...props} document={data.document} sizes={data.sizes} /> : <Opening />
}

async function open(file: PreviewProps['file'], signal: AbortSignal) {
  try {
    const document = await openPdf(file, signal)
    const first = (await document.getPage(1)).getViewport({ scale: 1 })
    // Sizes of other pages are known when they are shown: most equal the first.
    return { document, sizes: { width: first.width, height: first.height } }
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (name === 'PasswordException')
      throw new UnreadableError(t`This PDF is locked with a password. Remove it, then upload the file again.`)
    if (name === 'InvalidPDFException')
      throw new UnreadableError(t`This PDF is damaged and cannot be shown. Download it, or upload it again.`)
    throw error
  }
}

interface PagesProps extends PreviewProps {
  document: PDFDocumentProxy
  sizes: { width: number; height: number }
}

function Pages({ document: pdf, sizes, position, target, onMarked }: PagesProps) {
  const scroller = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(0)
  const [zoom, setZoom] = useState(1)
  const [measured, setMeasured] = useState<ReadonlyMap<number, { width: number; height: number }>>(new Map())
  const wantedPage = target?.location.page ?? position.page

  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.min(WIDEST, entry!.contentRect.width - 2 * GAP)))
    observer.observe(scroller.current!)
    return () => observer.disconnect()
  }, [])

  const pageSize = (number: number) => measured.get(number) ?? sizes
  /** Width of each page: as wide as the space allows. */
  const pageScale = (number: number) => (width / pageSize(number).width) * zoom
  const virtualizer = useVirtualizer({
    count: width > 0 ? pdf.numPages : 0,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => pageSize(index + 1).height * pageScale(index + 1) + GAP,
    overscan: 1,
    paddingStart: GAP,
  })
  const shown = virtualizer.getVirtualItems()

  // Sizes that differ from the first page's.
  const numbers = shown.map(({ index }) => index + 1).join()
  useEffect(() => {
    for (const number of numbers.split(',').filter(Boolean).map(Number))
      unawaited(
        pdf.getPage(number).then((page) => {
          const { width, height } = page.getViewport({ scale: 1 })
          setMeasured((all) => (all.has(number) ? all : new Map(all).set(number, { width, height })))
        }),
      )
  }, [numbers, pdf])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what pages measure depends on these.
  useEffect(() => {
    virtualizer.measure()
  }, [measured, zoom, width, virtualizer])

  const isLaidOut = width > 0
  useEffect(() => {
    if (isLaidOut && wantedPage) virtualizer.scrollToIndex(wantedPage - 1, { align: 'start' })
  }, [wantedPage, isLaidOut, virtualizer])
  useEffect(() => unmarkPassage, [])

  const targetPage = wantedPage ?? 1
  const drawn = useRef(new Map<number, HTMLElement>())
  const shownFor = useRef<typeof target>(null)
  const mark = useCallback(() => {
    const getTextLayer = (number: number) =>
      drawn.current.get(number)?.isConnected ? drawn.current.get(number) : undefined
    const text = getTextLayer(targetPage)
    if (!target || !text) return
    const found = findRange(text, target.text)
    // A passage may continue on the next page.
    const overleaf = found && found.share < WHOLE ? getTextLayer(targetPage + 1) : undefined
    const rest = overleaf && findRange(overleaf, target.text)
    // The passage is marked each time a page is drawn, but scrolled to only once.
    if (found) markRanges([found.range, ...(rest ? [rest.range] : [])], { isShown: shownFor.current !== target })
    onMarked(found !== undefined)
    shownFor.current = target
  }, [target, targetPage, onMarked])
  useEffect(mark, [mark])

  const offset = (virtualizer.scrollOffset ?? 0) + (scroller.current?.clientHeight ?? 0) / 3
  const current = shown.findLast(({ start }) => start <= offset)?.index ?? 0
  const nextZoom = (step: 1 | -1) => ZOOMS[Math.max(0, Math.min(ZOOMS.length - 1, ZOOMS.indexOf(zoom) + step))]!
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <section
        ref={scroller}
        aria-label={t`Pages`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys, too.
        tabIndex={0}
        className="min-h-0 flex-1 overflow-auto scroll-quiet bg-canvas outline-offset-[-2px]"
      >
        <div className="relative mx-auto" style={{ height: virtualizer.getTotalSize(), width: width * zoom }}>
          {shown.map(({ index, start }) => {
            const number = index + 1
            const scale = pageScale(number)
            const { width: pageWidth, height: pageHeight } = pageSize(number)
            return (
              <section
                key={number}
                aria-label={t`Page ${number}`}
                className="absolute top-0 left-0 overflow-hidden bg-white shadow-raised"
                style={{ transform: `translateY(${start}px)`, width: pageWidth * scale, height: pageHeight * scale }}
              >
                <PdfPage
                  document={pdf}
                  number={number}
                  scale={scale}
                  onText={(text) => {
                    drawn.current.set(number, text)
                    if (number === targetPage || number === targetPage + 1) mark()
                  }}
                />
              </section>
            )
          })}
        </div>
      </section>
      <div className="pointer-events-none absolute inset-x-0 bottom-4 flex justify-center">
        <div className="pointer-events-auto flex items-center gap-1 rounded-full border border-line bg-raised px-2 py-1 shadow-raised">
          <form
            onSubmit={(event) => {
              event.preventDefault()
              const number = Number(new FormData(event.currentTarget).get('page'))
              if (number >= 1 && number <= pdf.numPages) virtualizer.scrollToIndex(number - 1, { align: 'start' })
            }}
            className="flex items-center gap-1.5 pl-2 tabular-nums"
          >
            <input
              key={current}
              name="page"
              aria-label={t`Page`}
              inputMode="numeric"
              defaultValue={current + 1}
              onFocus={(event) => event.target.select()}
              className="w-10 rounded-control bg-hover py-0.5 text-center"
            />
            <span className="text-muted">
              <Trans>of {pdf.numPages}</Trans>
            </span>
          </form>
          <IconButton
            label={t`Smaller`}
            icon={ZoomOut}
            disabled={zoom === ZOOMS[0]}
            onClick={() => setZoom(nextZoom(-1))}
          />
          <IconButton
            label={t`Larger`}
            icon={ZoomIn}
            disabled={zoom === ZOOMS.at(-1)}
            onClick={() => setZoom(nextZoom(1))}
          />
        </div>
      </div>
    </div>
  )
}
