import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { useContent } from '../content.ts'
import { Opening, type PreviewProps } from '../opening.tsx'
import { markTarget, unmarkPassage } from '../passages/mark-passage.ts'
import { PreviewError, UnreadableError } from '../preview-error.tsx'
import { drawDocx } from './draw-docx.ts'

/** Word document as pages. */
export default function DocxPreview({ file, target, onMarked }: PreviewProps) {
  const { data: blob, error, refetch } = useContent(file)
  const pages = useRef<HTMLDivElement>(null)
  const [isDrawn, setDrawn] = useState(false)
  const [isBroken, setBroken] = useState(false)
  useEffect(() => {
    if (!blob) return
    const ending = new AbortController()
    drawDocx(blob, pages.current!, ending.signal).then(
      () => ending.signal.aborted || setDrawn(true),
      () => ending.signal.aborted || setBroken(true),
    )
    return () => ending.abort()
  }, [blob])
  useEffect(() => {
    if (!isDrawn || !target) return
    onMarked(markTarget(pages.current!, target))
    return unmarkPassage
  }, [isDrawn, target, onMarked])
  if (isBroken)
    return <PreviewError error={new UnreadableError(t`This document cannot be shown. Download it to look at it.`)} />
  if (error) return <PreviewError error={error} onRetry={refetch} />
  return (
    <section
      aria-label={t`Document`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys, too.
      tabIndex={0}
      className="flex min-h-0 flex-1 flex-col overflow-auto scroll-quiet bg-canvas outline-offset-[-2px]"
    >
      {!isDrawn && <Opening />}
      <div ref={pages} className="docx-pages" />
    </section>
  )
}
