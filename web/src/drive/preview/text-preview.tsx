import type { Location } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { useEffect, useMemo, useRef } from 'react'
import { cx } from '../../ui/class-names.ts'
import { useText } from './content.ts'
import { Opening, type PreviewProps } from './opening.tsx'
import { markPassage, markRanges, unmarkPassage } from './passages/mark-passage.ts'
import { PreviewError } from './preview-error.tsx'

/** Lines per block: the browser lays out only blocks near the screen. */
const LINES_PER_BLOCK = 100

const SCROLLER = 'min-h-0 flex-1 overflow-auto scroll-quiet outline-offset-[-2px]'

export default function TextPreview({ file, target, onMarked }: PreviewProps) {
  const { text, error, refetch } = useText(file)
  const blocks = useMemo(() => (text === undefined ? [] : splitIntoBlocks(text)), [text])
  const root = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!target || blocks.length === 0) return
    const range = findLineRange(root.current!, target.location)
    if (range) markRanges([range])
    onMarked(range ? true : markPassage(root.current!, target.text))
    return unmarkPassage
  }, [blocks, target, onMarked])
  if (error) return <PreviewError error={error} onRetry={refetch} />
  if (text === undefined) return <Opening />
  // Prose wraps; in code and data line breaks matter.
  const isProse =
    file.media_type === 'text/plain' && !/\.(log|conf|ini|env|sh|py|ts|js|sql|c|h|go|rs|java)$/i.test(file.title)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys, too.
    <section aria-label={t`Text`} tabIndex={0} className={SCROLLER}>
      <article
        ref={root}
        className={cx(
          'min-w-fit py-6',
          isProse ? 'mx-auto max-w-[46rem] px-5 leading-relaxed sm:px-8' : 'font-mono text-sm leading-6',
        )}
      >
        {blocks.map(({ first, lines }) => (
          <div
            key={first}
            className={cx(
              '[content-visibility:auto] [contain-intrinsic-size:auto_2400px]',
              isProse ? 'wrap-anywhere whitespace-pre-wrap' : 'flex',
            )}
          >
            {!isProse && (
              <div
                aria-hidden
                className="sticky left-0 shrink-0 border-r border-line bg-paper pr-3 pl-4 text-right whitespace-pre text-muted select-none"
              >
                {lines.map((_, index) => `${first + index}\n`)}
              </div>
            )}
            <div
              data-lines={first}
              className={cx(!isProse && 'pr-6 pl-4 whitespace-pre')}
            >{`${lines.join('\n')}\n`}</div>
          </div>
        ))}
      </article>
    </section>
  )
}

function splitIntoBlocks(text: string) {
  const lines = text.split(/\r?\n/)
  return Array.from({ length: Math.ceil(lines.length / LINES_PER_BLOCK) }, (_, block) => ({
    first: block * LINES_PER_BLOCK + 1,
    lines: lines.slice(block * LINES_PER_BLOCK, (block + 1) * LINES_PER_BLOCK),
  }))
}

/** Range of the lines of a passage; undefined if it has none. */
function findLineRange(root: HTMLElement, { line_start: from, line_end: to = from }: Location): Range | undefined {
  if (from === undefined || to === undefined) return undefined
  const range = new Range()
  const start = findLineStart(root, from)
  const end = findLineStart(root, to + 1)
  if (!start) return undefined
  range.setStart(...start)
  if (end) range.setEnd(...end)
  else range.setEndAfter(root.lastElementChild!)
  return range
}

/** Offset at which a line starts. */
function findLineStart(root: HTMLElement, line: number): [Node, number] | undefined {
  const first = Math.floor((line - 1) / LINES_PER_BLOCK) * LINES_PER_BLOCK + 1
  const node = root.querySelector(`[data-lines="${first}"]`)?.firstChild
  if (!(node instanceof Text)) return undefined
  let offset = 0
  for (let n = first; n < line; n++) {
    offset = node.data.indexOf('\n', offset) + 1
    if (offset === 0) return undefined
  }
  return [node, offset]
}
