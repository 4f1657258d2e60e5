import { memo, useMemo } from 'react'
import { Button, IconButton, Spinner } from '../ui/button.tsx'
import { cx } from '../ui/class-names.ts'
import { Copy, RefreshCw } from '../ui/icons.ts'
import { Notice } from '../ui/notice.tsx'
import { toast } from '../ui/toasts.tsx'
import type { ChatPath } from './chats.queries.ts'
import { CitationsContext } from './citations-context.ts'
import { MadeFiles } from './made-files.tsx'
import { RichText } from './rich-text.tsx'
import { SourceList } from './source-list.tsx'
import { Steps } from './steps.tsx'
import type { Turn } from './turns.ts'

/** Up to so many characters a question stands as a heading. */
const HEADING_LENGTH = 160

interface TurnViewProps {
  path: ChatPath
  turn: Turn
  onOpenSource: (messageId: string, index: number) => void
  onAskAgain: (turn: Turn) => void
}

/** A question, and the answer to it. */
export const TurnView = memo(({ path, turn, onOpenSource, onAskAgain }: TurnViewProps) => {
  const { id, query, response, steps, citations, files, error, state } = turn
  const isComing = state === 'asking' || state === 'streaming' || state === 'following'
  const context = useMemo(
    () => ({ all: citations, isPending: isComing, open: (index: number) => onOpenSource(id, index) }),
    [citations, isComing, id, onOpenSource],
  )
  return (
    <article aria-busy={isComing} className="space-y-3.5">
      <h2
        className={cx(
          'wrap-anywhere whitespace-pre-wrap',
          query.length <= HEADING_LENGTH
            ? 'font-display text-[1.75rem] leading-[1.2] text-balance'
            : 'max-h-60 overflow-y-auto scroll-quiet rounded-card bg-canvas px-4 py-3',
        )}
      >
        {query}
      </h2>
      {steps.length > 0 && <Steps steps={steps} />}
      {response && (
        <div className="prose text-base">
          <CitationsContext value={context}>
            <RichText text={response} isStreaming={isComing} />
          </CitationsContext>
        </div>
      )}
      {files.length > 0 && <MadeFiles path={path} messageId={id} files={files} />}
      {isComing && <Progress state={state} hasText={response !== ''} />}
      {error !== null && !isComing && (
        <Notice
          action={
            <Button icon={RefreshCw} onClick={() => onAskAgain(turn)}>
              Ask again
            </Button>
          }
        >
          {error === 'cancelled' ? 'This answer was stopped.' : error}
        </Notice>
      )}
      {state === 'done' && (citations.length > 0 || response) && (
        <footer className="flex items-start justify-between gap-3 pt-1">
          <SourceList citations={citations} onOpen={(index) => onOpenSource(id, index)} />
          {response && <IconButton label="Copy the answer" icon={Copy} onClick={() => copy(response)} />}
        </footer>
      )}
    </article>
  )
})

function Progress({ state, hasText }: { state: Turn['state']; hasText: boolean }) {
  if (state === 'following')
    return (
      <p className="flex items-center gap-2 text-sm text-muted">
        <Spinner />
        The answer goes on at the server; it is read again until it is complete.
      </p>
    )
  if (hasText) return null
  return (
    <p className="flex items-center gap-2 text-muted">
      <span aria-hidden className="h-4.5 w-2 animate-breathe rounded-[2px] bg-mark-strong" />
      <span className="sr-only">The answer is on its way</span>
    </p>
  )
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast('The answer was copied')
  } catch {
    toast('The browser does not let this page copy. Mark the text and copy it by hand.', { isError: true })
  }
}
