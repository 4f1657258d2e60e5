import { t } from '@lingui/core/macro'
import { useRef } from 'react'
import { mayHoldGfm, useGfm } from '../../ui/markdown/gfm.ts'
import { SafeMarkdown } from '../../ui/markdown/safe-markdown.tsx'
import { useText } from './content.ts'
import { Opening, type PreviewProps } from './opening.tsx'
import { useMark } from './passages/use-mark.ts'
import { PreviewError } from './preview-error.tsx'

export default function MarkdownPreview({ file, target, onMarked }: PreviewProps) {
  const { text, error, refetch } = useText(file)
  const root = useRef<HTMLElement>(null)
  const needsGfm = mayHoldGfm(text ?? '')
  const gfm = useGfm(needsGfm)
  // Marks are lost when a table takes the place of its text.
  useMark(root, target, text !== undefined && (gfm !== null || !needsGfm), onMarked)
  if (error) return <PreviewError error={error} onRetry={refetch} />
  if (text === undefined) return <Opening />
  return (
    <section
      aria-label={t`Text`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys, too.
      tabIndex={0}
      className="min-h-0 flex-1 overflow-y-auto scroll-quiet outline-offset-[-2px]"
    >
      <article ref={root} className="prose mx-auto max-w-[46rem] px-5 py-8 sm:px-8">
        <SafeMarkdown text={text} />
      </article>
    </section>
  )
}
