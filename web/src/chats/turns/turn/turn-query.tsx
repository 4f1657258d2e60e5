import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { formatBytes, toWords } from '../../../platform/format.ts'
import { cx } from '../../../ui/class-names.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Paperclip, Slash } from '../../../ui/icons.ts'
import { Fold } from '../../../ui/layout/fold.tsx'
import type { SentFile } from '../../answers/live-answer.ts'
import { useShortcuts } from '../../chats.queries.ts'
import type { Turn } from '../turns.ts'

/** Length up to which a question is shown as a heading. */
const HEADING_LENGTH = 160

/** Question: text, or a shortcut with its values, and the attached files. */
export const TurnQuery = ({ agentId, turn }: { agentId: string; turn: Turn }) => (
  <div className="space-y-2.5">
    {turn.shortcut ? (
      <ShortcutQuery agentId={agentId} shortcut={turn.shortcut} query={turn.query} />
    ) : (
      <Words text={turn.query} />
    )}
    {turn.sentFiles.length > 0 && <SentFiles files={turn.sentFiles} />}
  </div>
)

const Words = ({ text }: { text: string }) =>
  text.length <= HEADING_LENGTH ? (
    <h2 dir="auto" className="font-display text-[1.75rem] leading-[1.2] text-balance wrap-anywhere whitespace-pre-wrap">
      {text}
    </h2>
  ) : (
    <LongQuestion text={text} />
  )

/** Question of many lines: its beginning, and a button for the rest. */
function LongQuestion({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false)
  const [isCut, setCut] = useState(false)
  const words = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { scrollHeight, clientHeight } = entry!.target
      setCut((before) => (isWhole ? before : scrollHeight > clientHeight + 1))
    })
    observer.observe(words.current!)
    return () => observer.disconnect()
  }, [isWhole])
  return (
    <div className="rounded-card bg-canvas px-4 py-3">
      <h2 ref={words} dir="auto" className={cx('wrap-anywhere whitespace-pre-wrap', !isWhole && 'line-clamp-8')}>
        {text}
      </h2>
      {isCut && (
        <Button variant="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)} className="-ms-2 mt-1 px-2">
          {isWhole ? t`Show less` : t`Show the whole question`}
        </Button>
      )}
    </div>
  )
}

function ShortcutQuery({
  agentId,
  shortcut,
  query,
}: {
  agentId: string
  shortcut: NonNullable<Turn['shortcut']>
  query: string
}) {
  const { data: shortcuts } = useShortcuts(agentId)
  const name = shortcuts?.find(({ id }) => id === shortcut.id)?.name ?? t`A shortcut`
  return (
    <>
      <h2 className="flex items-center gap-2 font-display text-[1.75rem] leading-[1.2] wrap-anywhere">
        <Slash size={18} className="shrink-0 text-accent" aria-hidden />
        <span className="sr-only">
          <Trans>Shortcut:</Trans>{' '}
        </span>
        {name}
      </h2>
      {shortcut.values.length > 0 && (
        <dl className="flex flex-wrap gap-x-5 gap-y-1 text-sm">
          {shortcut.values.map(({ field_name, field_value }) => (
            <div key={field_name} className="flex min-w-0 gap-1.5">
              <dt className="shrink-0 text-muted">{toWords(field_name)}</dt>
              <dd className="wrap-anywhere">{field_value}</dd>
            </div>
          ))}
        </dl>
      )}
      {query && query !== name && (
        <Fold summary={t`What the agent read`} className="text-sm text-muted">
          <p className="mt-1 whitespace-pre-wrap wrap-anywhere">{query}</p>
        </Fold>
      )}
    </>
  )
}

const SentFiles = ({ files }: { files: SentFile[] }) => (
  <ul aria-label={t`Files of this question`} className="flex flex-wrap gap-2">
    {files.map(({ id, file_name, size_bytes }) => (
      <li key={id} className="flex max-w-full items-center gap-2 rounded-control bg-canvas px-2.5 py-1 text-sm">
        <Paperclip size={14} className="shrink-0 text-muted" aria-hidden />
        <span className="min-w-0 max-w-64 truncate">{file_name}</span>
        <span className="shrink-0 text-muted tabular-nums">{formatBytes(size_bytes)}</span>
      </li>
    ))}
  </ul>
)
