import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { lazy, memo, Suspense, useEffect, useMemo, useRef } from 'react'
import { isVisitor } from '../../../access/access.ts'
import { Button, IconButton, Spinner } from '../../../ui/controls/button.tsx'
import { Pencil, Pin, RefreshCw } from '../../../ui/icons.ts'
import { later } from '../../../ui/later.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import type { Ask } from '../../answers/live-answer.ts'
import type { ChatPath } from '../../chats.queries.ts'
import { loadRareParts } from '../../load-rare-parts.ts'
import { CitationsContext } from '../../sources/citations-context.ts'
import { SourceList } from '../../sources/source-list.tsx'
import { PastSteps } from '../../steps/past-steps.tsx'
import { Steps } from '../../steps/steps.tsx'
import { RichText } from '../../text/rich-text.tsx'
import { turnElementId } from '../shown-turn.ts'
import { type Turn, toAsk } from '../turns.ts'
import { AnswerFailure } from './answer-failure.tsx'
import { StoppedNote } from './stopped-note.tsx'
import { TurnActions } from './turn-actions.tsx'
import { TurnQuery } from './turn-query.tsx'

const EditQuery = lazy(async () => ({ default: (await loadRareParts()).EditQuery }))
const MadeFiles = later(async () => (await loadRareParts()).MadeFiles)
const TurnReview = later(async () => (await loadRareParts()).TurnReview)

interface TurnViewProps {
  path: ChatPath
  turn: Turn
  onOpenSource: (messageId: string, index: number) => void
  /** Asks the question again in its place, or the given one instead. */
  onAskAgain: (turn: Turn, question?: Ask) => void
  isLast?: boolean
  /** Whether an answer of the chat is coming: earlier questions cannot be edited until it is there. */
  isBusy?: boolean
  isEdited?: boolean
  onEdit?: (messageId: string | null) => void
}

/** Question with its answer. */
export const TurnView = memo((props: TurnViewProps) => {
  const { path, turn, onOpenSource, onAskAgain, isLast = false, isBusy = false, isEdited = false, onEdit } = props
  const { id, query, response, steps, citations, files, error, state, message, review } = turn
  const isOver = state === 'done' || state === 'refused'
  const isComing = !isOver && state !== 'waiting'
  const context = useMemo(
    () => ({ all: citations, isPending: !isOver, open: (index: number) => onOpenSource(id, index) }),
    [citations, isOver, id, onOpenSource],
  )
  const editButton = useRef<HTMLButtonElement>(null)
  const left = useRef<Element | null>(null)
  // Focus returns to the edit button, which was hidden while editing.
  useEffect(() => {
    const opener = left.current
    if (isEdited || !opener) return
    left.current = null
    const isThere = opener instanceof HTMLElement && opener.isConnected && opener !== document.body
    ;(isThere ? opener : editButton.current)?.focus()
  }, [isEdited])
  // Visitors see one version only, and answers below an earlier one would lose their context.
  const canBranch = isLast || !(isBusy || isVisitor())
  const canEdit = canBranch && isOver && onEdit && !turn.shortcut
  return (
    <article id={turnElementId(id)} tabIndex={-1} aria-busy={isComing} className="scroll-mt-6 space-y-3.5 outline-none">
      {isEdited && canEdit ? (
        <Suspense fallback={<TurnQuery agentId={path.agentId} turn={turn} />}>
          <EditQuery
            initial={query}
            onCancel={(opener) => {
              left.current = opener
              onEdit(null)
            }}
            onSave={(changed) => {
              onEdit(null)
              onAskAgain(turn, { ...toAsk(turn), query: changed })
            }}
          />
        </Suspense>
      ) : (
        // The button is where the question ends, which is the left for one that runs from right to left.
        <div className="group/query flex items-start gap-1 ltr:has-[h2:dir(rtl)]:flex-row-reverse rtl:has-[h2:dir(ltr)]:flex-row-reverse">
          <div className="min-w-0 flex-1">
            {message?.is_pinned && (
              <p className="mb-1 flex items-center gap-1.5 text-sm text-accent">
                <Pin size={13} aria-hidden /> <Trans>Pinned</Trans>
              </p>
            )}
            <TurnQuery agentId={path.agentId} turn={turn} />
          </div>
          {canEdit && (
            <IconButton
              ref={editButton}
              label={t`Edit the question`}
              icon={Pencil}
              onClick={() => onEdit(id)}
              className="focus-visible:opacity-100 pointer-fine:opacity-0 group-hover/query:opacity-100"
            />
          )}
        </div>
      )}
      {turn.hasAllSteps || !isOver ? (
        steps.length > 0 && <Steps steps={steps} isPaused={state === 'waiting'} question={query} />
      ) : (
        <PastSteps path={path} messageId={id} question={query} />
      )}
      {response && (
        <div className="prose text-base">
          <CitationsContext value={context}>
            <RichText text={response} isStreaming={isComing} />
          </CitationsContext>
        </div>
      )}
      {files.length > 0 && <MadeFiles path={path} messageId={id} files={files} />}
      {state === 'waiting' && review && <TurnReview key={review.id} path={path} review={review} />}
      {isComing && <Progress state={state} hasText={response !== ''} />}
      {error === 'cancelled' && isOver && (
        <StoppedNote>
          <Button icon={RefreshCw} onClick={() => onAskAgain(turn)}>
            <Trans>Ask again</Trans>
          </Button>
        </StoppedNote>
      )}
      {error !== null && error !== 'cancelled' && isOver && (
        <Notice
          action={
            <Button icon={RefreshCw} onClick={() => onAskAgain(turn)}>
              <Trans>Ask again</Trans>
            </Button>
          }
        >
          <AnswerFailure message={error} />
        </Notice>
      )}
      {state === 'done' && (
        <footer className="space-y-2 pt-1">
          {citations.length > 0 && <SourceList citations={citations} onOpen={(index) => onOpenSource(id, index)} />}
          {message && (
            <TurnActions
              path={path}
              message={message}
              isBusy={isBusy}
              onAskAgain={
                canBranch && error === null
                  ? (model) => onAskAgain(turn, model === undefined ? undefined : { ...toAsk(turn), model })
                  : undefined
              }
              onEdit={canEdit ? () => onEdit(id) : undefined}
            />
          )}
        </footer>
      )}
    </article>
  )
})

function Progress({ state, hasText }: { state: Turn['state']; hasText: boolean }) {
  if (state === 'following' || state === 'lost')
    return (
      <p className="flex items-center gap-2 text-sm text-muted">
        <Spinner />
        {state === 'lost' ? (
          <Trans>The connection to the server is lost; this page tries again until it is back.</Trans>
        ) : (
          <Trans>The answer continues on the server; this page checks until it is complete.</Trans>
        )}
      </p>
    )
  if (hasText) return null
  return (
    <p className="flex items-center gap-2 text-muted">
      <span aria-hidden className="h-4.5 w-2 animate-breathe rounded-[2px] bg-mark-strong" />
      <span className="sr-only">
        <Trans>The answer is on its way</Trans>
      </span>
    </p>
  )
}
