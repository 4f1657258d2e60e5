// biome-ignore-all lint/suspicious/noArrayIndexKey: slides are in an order that does not change.
import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { useContent } from '../content.ts'
import { Opening, type PreviewProps } from '../opening.tsx'
import { markTarget, unmarkPassage } from '../passages/mark-passage.ts'
import { PreviewError, UnreadableError } from '../preview-error.tsx'
import { type Presentation, readPptx } from './read-pptx.ts'
import { SlideView } from './slide-view.tsx'

/** Presentation as slides, the passage marked on its own. */
export default function PptxPreview({ file, target, onMarked }: PreviewProps) {
  const { data: blob, error, refetch } = useContent(file)
  const slides = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState<Presentation | null>(null)
  const [isBroken, setBroken] = useState(false)
  useEffect(() => {
    if (!blob) return
    const ending = new AbortController()
    readPptx(blob, ending.signal).then(
      (read) => ending.signal.aborted || setShown(read),
      () => ending.signal.aborted || setBroken(true),
    )
    return () => ending.abort()
  }, [blob])
  useEffect(() => {
    if (!shown || !target) return
    const own = slides.current!.querySelector<HTMLElement>(`[data-slide="${target.location.slide}"]`)
    own?.scrollIntoView({ block: 'center' })
    onMarked(markTarget(own ?? slides.current!, target))
    return unmarkPassage
  }, [shown, target, onMarked])
  if (isBroken)
    return <PreviewError error={new UnreadableError(t`This document cannot be shown. Download it to look at it.`)} />
  if (error) return <PreviewError error={error} onRetry={refetch} />
  return (
    <section
      aria-label={t`Slides`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys, too.
      tabIndex={0}
      className="min-h-0 flex-1 overflow-auto scroll-quiet bg-canvas outline-offset-[-2px]"
    >
      {!shown && <Opening />}
      <div ref={slides} className="space-y-5 p-4 sm:p-6">
        {shown?.slides.map((slide, at) => (
          <SlideView key={at} slide={slide} number={at + 1} width={shown.width} height={shown.height} />
        ))}
      </div>
    </section>
  )
}
