import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { dropUploads, isOpen, readDropped, readTaken, type Upload, useUploads } from '../../drive/drive.ts'
import { explain } from '../../platform/errors.ts'
import { takeForPage } from '../../platform/files/stray-files.ts'
import { shorten } from '../../platform/format.ts'
import { cx } from '../../ui/class-names.ts'
import { Button, Spinner } from '../../ui/controls/button.tsx'
import { Textarea } from '../../ui/fields/field.tsx'
import { ArrowUp, Upload as UploadIcon } from '../../ui/icons.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import { ask } from '../answers/live-answers.ts'
import { createChat } from '../chats.queries.ts'
import { OfflineNote, OfflineStart } from '../composer/later-notes.ts'
import { type DocumentAgent, discardDocumentAgent, makeDocumentAgent } from './document-agent.ts'
import { ExampleQuestions } from './example-questions.tsx'

const TITLE_LENGTH = 60

interface StartPageProps {
  /** Agent that answers while nothing was dropped; null if there is none. */
  agentId: string | null
}

/** First page of a new workspace: documents are dropped and asked about in one place. */
export function StartPage({ agentId }: StartPageProps) {
  const [made, setMade] = useState<DocumentAgent | null>(null)
  const [isReadable, setReadable] = useState(false)
  const [isMaking, setMaking] = useState(false)
  const [isOver, setOver] = useState(false)
  const [question, setQuestion] = useState('')
  const [waiting, setWaiting] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const box = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const uploads = useUploads().filter(({ folderId }) => folderId === made?.folderId)
  const isReading = isMaking || uploads.some((upload) => isOpen(upload) || upload.state === 'sent')
  const hasDone = uploads.some(({ state }) => state === 'done')
  // Finished uploads are forgotten when more are added.
  useEffect(() => {
    if (hasDone) setReadable(true)
  }, [hasDone])
  const isUnreadable = made !== null && !isReading && !isReadable && !hasDone && uploads.length > 0

  async function add(read: () => Promise<Parameters<typeof makeDocumentAgent>[0]>) {
    setOver(false)
    setProblem(null)
    setMaking(true)
    try {
      const dropped = await read()
      if (isUnreadable) await discard()
      setMade(await makeDocumentAgent(dropped, isUnreadable ? null : made))
      box.current?.focus()
    } catch (error) {
      setProblem(explain(error))
    } finally {
      setMaking(false)
    }
  }

  const adding = useRef(add)
  useEffect(() => {
    adding.current = add
  })
  // Files may be dropped on the sidebar, too.
  useEffect(
    () =>
      takeForPage((taken) => {
        const dropped = readTaken(taken)
        unawaited(adding.current(() => dropped))
      }, t`Ask about them`),
    [],
  )

  /** Makes room for documents that can be read: an agent without any would answer nothing. */
  async function discard() {
    if (!made) return
    await discardDocumentAgent(made)
    dropUploads(uploads.map(({ id }) => id))
    setMade(null)
  }

  async function begin(query: string) {
    const answering = made?.agentId ?? agentId
    if (!answering) return setProblem(t`Drop a document first: the answer comes from it.`)
    setWaiting(null)
    try {
      const chat = await createChat(answering, shorten(query, TITLE_LENGTH))
      const params = { agentId: answering, chatId: chat.id }
      ask(params, { query })
      await navigate({ to: '/chat/$agentId/$chatId', params })
    } catch (error) {
      setProblem(explain(error))
      setQuestion(query)
    }
  }

  // A question that was asked before the documents were read is sent once they are.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the reading ends.
  useEffect(() => {
    if (waiting === null || isReading) return
    if (!isUnreadable) return unawaited(begin(waiting))
    setQuestion(waiting)
    setWaiting(null)
  }, [waiting, isReading])

  function submit() {
    const query = question.trim()
    if (query === '') return
    setProblem(null)
    if (isUnreadable) return setProblem(t`Drop a document that can be read first: the answer comes from it.`)
    if (isReading) setWaiting(query)
    else unawaited(begin(query))
    setQuestion('')
  }

  const takes = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')
  return (
    <section
      aria-label={t`Your documents`}
      className="min-h-0 flex-1 overflow-y-auto scroll-quiet"
      onDragOver={(event) => {
        if (!takes(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={({ currentTarget, relatedTarget }) =>
        setOver(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))
      }
      onDrop={(event) => {
        if (!takes(event)) return
        event.preventDefault()
        // The dropped items are readable only during the event.
        const dropped = readDropped(event.dataTransfer)
        unawaited(add(() => dropped))
      }}
    >
      <title>Docent</title>
      <div className="mx-auto flex min-h-full max-w-2xl flex-col justify-center gap-5 px-4 py-10 sm:px-6 sm:pb-[12vh]">
        <h1 className="text-center font-display text-[clamp(2.1rem,5vw,3rem)] leading-[1.08] text-balance">
          <Trans>Drop your documents. Ask.</Trans>
        </h1>
        <div
          className={cx(
            'flex flex-col items-center gap-3 rounded-card border-2 border-dashed px-5 py-8 text-center transition-colors',
            isOver ? 'border-accent bg-accent-soft' : 'border-line-strong/60',
          )}
        >
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            onChange={({ target }) => {
              const files = [...(target.files ?? [])]
              target.value = ''
              if (files.length > 0) unawaited(add(async () => ({ files, folders: [] })))
            }}
          />
          {uploads.length > 0 ? <Reading uploads={uploads} /> : isMaking && <Spinner label={t`Making a folder`} />}
          <Button
            icon={UploadIcon}
            variant={made && !isUnreadable ? 'secondary' : 'primary'}
            disabled={isMaking}
            onClick={() => picker.current!.click()}
          >
            {isUnreadable ? t`Choose others` : made ? t`Add more` : t`Choose files`}
          </Button>
          <p className="text-sm text-muted text-pretty">
            <Trans>PDF, Word, Excel, PowerPoint, e-mails, text and pictures.</Trans>
          </p>
        </div>
        {problem && <Notice>{problem}</Notice>}
        {isUnreadable && !problem && (
          <Notice
            action={
              <Button onClick={() => unawaited(discard().catch((error) => setProblem(explain(error))))}>
                <Trans>Start over</Trans>
              </Button>
            }
          >
            <Trans>
              None of these can be read, so there is nothing to ask about yet. Drop others: they take their place.
            </Trans>
          </Notice>
        )}
        <form
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            submit()
          }}
        >
          <Textarea
            ref={box}
            aria-label={t`Your question`}
            rows={1}
            maxLength={200_000}
            placeholder={made || !agentId ? t`Ask about them` : t`Ask about them, or about Docent`}
            value={question}
            onChange={({ target }) => setQuestion(target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
              event.preventDefault()
              submit()
            }}
            className="field-sizing-content max-h-56 flex-1 text-base"
          />
          <Button type="submit" variant="primary" icon={ArrowUp} disabled={question.trim() === ''} className="h-10">
            <Trans>Ask</Trans>
          </Button>
        </form>
        <div className="min-h-6">{agentId ? <OfflineNote agentId={agentId} /> : <OfflineStart />}</div>
        <p aria-live="polite" className="min-h-6 text-center text-muted">
          {waiting !== null && t`“${shorten(waiting, 80)}” is asked as soon as they are read.`}
        </p>
        {made && !isReading && !isUnreadable && waiting === null && (
          <ExampleQuestions folderIds={[made.folderId]} onAsk={(query) => unawaited(begin(query))} />
        )}
      </div>
    </section>
  )
}

const STATES: Record<Upload['state'], string> = {
  waiting: t`Waiting`,
  sending: t`On its way`,
  sent: t`Reading`,
  done: t`Ready`,
  unread: t`Could not be read`,
  failed: t`Could not be sent`,
}
const MOST = 6

/** Documents on their way, and how far the reading is. */
const Reading = ({ uploads }: { uploads: Upload[] }) => (
  <ul aria-label={t`Documents`} className="w-full max-w-md space-y-1 text-start">
    {uploads.slice(0, MOST).map(({ id, file, state, reason }) => (
      <li key={id}>
        <div className="flex items-center justify-between gap-3">
          <span dir="auto" className="min-w-0 truncate">
            {file.name}
          </span>
          <span
            className={cx('flex shrink-0 items-center gap-2 text-sm', state === 'done' ? 'text-good' : 'text-muted')}
          >
            {(state === 'sending' || state === 'sent') && <Spinner />}
            {STATES[state]}
          </span>
        </div>
        {reason && <p className="text-sm text-bad">{reason}</p>}
      </li>
    ))}
    {uploads.length > MOST && (
      <li className="text-sm text-muted">
        <Trans>
          and {plural(uploads.length - MOST, { one: '# more file', other: '# more files' })},{' '}
          {uploads.filter(({ state }) => state === 'done').length} of all ready
        </Trans>
      </li>
    )}
  </ul>
)
