import type { Shortcut } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'
import { explain } from '../../platform/errors.ts'
import { useVoiceChoice } from '../../platform/voice.ts'
import { cx } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/controls/button.tsx'
import { ArrowUp, Paperclip, Slash, Square } from '../../ui/icons.ts'
import { later } from '../../ui/later.tsx'
import { Menu, MenuItem } from '../../ui/overlays/menu.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import type { Ask } from '../answers/live-answer.ts'
import { useShortcuts } from '../chats.queries.ts'
import { loadRareParts } from '../load-rare-parts.ts'
import { DictateButton } from '../voice/later-voice.ts'
import { readDraft, useDraft } from './drafts.ts'
import { PictureNote } from './later-notes.ts'
import { ShortcutCards } from './shortcut-cards.tsx'
import { useAttachments } from './use-attachments.ts'
import { useFileDrop } from './use-file-drop.ts'

const AttachmentList = later(async () => (await loadRareParts()).AttachmentList)
const SlashMenu = later(async () => (await loadRareParts()).SlashMenu)
const ShortcutDialog = later(async () => (await loadRareParts()).ShortcutDialog)

interface ComposerProps {
  /** Name of the agent that answers. */
  agentName: string
  /** Chat that the question is for, or agent of a new one: what is typed is kept for it. */
  draftKey: string
  /** Agent whose shortcuts are offered; none if absent. */
  agentId?: string
  /** Chosen model of the next answer; absent or null: that of the agent. */
  model?: string | null
  /** Resolves once the question is sent; the text and files stay if it fails. */
  onAsk: (query: string, more: Omit<Ask, 'query'>) => Promise<void>
  /** Cancels the running answer; absent if there is none. */
  onStop?: () => Promise<void>
  /** Edits the last question: the up arrow in an empty box. */
  onEditLast?: () => void
  /** Whether shortcuts are below the box as cards, as at the start of a chat. */
  hasCards?: boolean
  /** Whether the box has the focus at first. Default: true. */
  isEager?: boolean
}

const roundClass =
  'flex size-9 shrink-0 items-center justify-center rounded-[0.7rem] bg-accent text-on-accent transition-colors hover:bg-accent-hover disabled:bg-hover disabled:text-muted pointer-coarse:size-10'

/** Box for the next question. Enter asks, Shift+Enter starts a new line, a slash offers the agent's shortcuts. */
export function Composer({
  agentName,
  agentId,
  model,
  draftKey,
  isEager = true,
  hasCards = false,
  ...actions
}: ComposerProps) {
  const { onAsk, onStop, onEditLast } = actions
  const [text, setText] = useDraft(draftKey)
  const [chosen, setChosen] = useState<Shortcut | null>(null)
  const [at, setAt] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const menuId = useId()
  const files = useAttachments(draftKey)
  const isDropping = useFileDrop(form, files.add)
  const shortcuts = useShortcuts(agentId ?? '', agentId !== undefined).data ?? NONE
  const offered = offeredBy(text, shortcuts)
  const { dictates } = useVoiceChoice()
  const isReady = text.trim() !== '' && !onStop && !files.isSending && !files.hasFailed

  async function ask(query: string, more: Omit<Ask, 'query'> = {}) {
    const before = files.attachments
    setText('')
    files.clear()
    try {
      await onAsk(query, { ...more, ...(files.sent.length > 0 && { files: files.sent }) })
    } catch {
      if (readDraft(draftKey) === '') setText(text)
      files.restore(before)
    }
  }

  function take(shortcut: Shortcut) {
    setText('')
    setAt(0)
    if (onStop) toast(t`Wait for the answer that is on its way, or stop it first.`)
    else if (shortcut.fields.length > 0) setChosen(shortcut)
    else unawaited(ask(shortcut.name, { shortcut: { id: shortcut.id, values: [] } }))
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    if (offered.length > 0) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      if (step) setAt((now) => (now + step + offered.length) % offered.length)
      else if (event.key === 'Enter' || event.key === 'Tab') take(offered[Math.min(at, offered.length - 1)]!)
      else if (event.key === 'Escape') setText('')
      else return
      event.preventDefault()
      event.stopPropagation()
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      if (isReady) unawaited(ask(text.trim()))
    } else if (event.key === 'ArrowUp' && text === '' && onEditLast) {
      event.preventDefault()
      onEditLast()
    }
  }

  function onPaste(event: ClipboardEvent) {
    if (event.clipboardData.files.length === 0) return
    event.preventDefault()
    files.add(event.clipboardData.files)
  }

  return (
    <>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) unawaited(ask(text.trim()))
        }}
        onPaste={onPaste}
        className={cx(
          'relative rounded-[1.1rem] border bg-raised p-2 shadow-raised transition-colors focus-within:border-accent',
          isDropping ? 'border-accent bg-accent-soft' : 'border-line-strong/60',
        )}
      >
        {offered.length > 0 && (
          <SlashMenu id={menuId} shortcuts={offered} at={Math.min(at, offered.length - 1)} onSelect={take} />
        )}
        {files.attachments.length > 0 && (
          <AttachmentList attachments={files.attachments} onRetry={files.retry} onRemove={files.remove} />
        )}
        {agentId && files.attachments.some(({ mediaType }) => mediaType.startsWith('image/')) && (
          <PictureNote agentId={agentId} model={model} />
        )}
        <div className="flex items-end gap-1">
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            aria-hidden
            tabIndex={-1}
            onChange={({ target }) => {
              files.add(target.files ?? [])
              target.value = ''
            }}
          />
          <IconButton
            label={t`Attach files`}
            icon={Paperclip}
            className="mb-0.5"
            onClick={() => picker.current!.click()}
          />
          {shortcuts.length > 0 && <ShortcutButton shortcuts={shortcuts} onSelect={take} />}
          <label className="flex min-w-0 flex-1 self-center ps-1">
            <span className="sr-only">
              <Trans>Your question to {agentName}</Trans>
            </span>
            <textarea
              rows={1}
              dir="auto"
              maxLength={200_000}
              // biome-ignore lint/a11y/noAutofocus: a page for asking begins in its box; on a phone that would hide the page.
              autoFocus={isEager && matchMedia('(pointer: fine)').matches}
              enterKeyHint="send"
              placeholder={isDropping ? t`Drop the files here` : t`Ask ${agentName}`}
              value={text}
              onChange={(event) => {
                setText(event.target.value)
                setAt(0)
              }}
              onKeyDown={onKeyDown}
              {...(offered.length > 0 && {
                role: 'combobox',
                'aria-expanded': true,
                'aria-controls': menuId,
                'aria-activedescendant': `${menuId}-${Math.min(at, offered.length - 1)}`,
              })}
              className="field-sizing-content max-h-56 w-full resize-none self-center overflow-y-auto scroll-quiet bg-transparent py-1.5 text-base outline-none"
            />
          </label>
          {dictates && (
            <DictateButton
              isBusy={onStop !== undefined}
              onSaid={(words) => setText(`${readDraft(draftKey)} ${words.trim()}`.trimStart())}
            />
          )}
          {onStop ? (
            <RoundButton
              label={t`Stop the answer`}
              title={t`Stop the answer (Esc)`}
              onClick={() => unawaited(stopAnswer(onStop))}
            >
              <Square size={14} fill="currentColor" aria-hidden />
            </RoundButton>
          ) : (
            <button type="submit" aria-label={t`Ask`} title={t`Ask (Enter)`} disabled={!isReady} className={roundClass}>
              <ArrowUp size={18} aria-hidden />
            </button>
          )}
        </div>
      </form>
      {hasCards && shortcuts.length > 0 && <ShortcutCards shortcuts={shortcuts} onSelect={take} />}
      {chosen && (
        <ShortcutDialog
          shortcut={chosen}
          onClose={() => setChosen(null)}
          onAsk={(shortcut) => {
            setChosen(null)
            unawaited(ask(chosen.name, { shortcut }))
          }}
        />
      )}
    </>
  )
}

/** Cancels an answer, and says so if that fails. */
export const stopAnswer = (stop: () => Promise<void>): Promise<unknown> =>
  stop().catch((error) => toast(explain(error), { isError: true }))

const NONE: Shortcut[] = []

/** Shortcuts whose names contain the text after the slash: `/re` offers those with `re`. */
function offeredBy(text: string, shortcuts: Shortcut[]): Shortcut[] {
  const typed = /^\/([^\n]{0,60})$/.exec(text)?.[1]?.trim().toLowerCase()
  return typed === undefined ? [] : shortcuts.filter(({ name }) => name.toLowerCase().includes(typed)).slice(0, 50)
}

const ShortcutButton = ({ shortcuts, onSelect }: { shortcuts: Shortcut[]; onSelect: (shortcut: Shortcut) => void }) => (
  <Menu
    label={t`Shortcuts`}
    align="start"
    className="max-w-80"
    trigger={(props) => <IconButton {...props} label={t`Shortcuts`} icon={Slash} className="mb-0.5" />}
  >
    {shortcuts.map((shortcut) => (
      <MenuItem key={shortcut.id} onSelect={() => onSelect(shortcut)}>
        <span className="block truncate">{shortcut.name}</span>
      </MenuItem>
    ))}
  </Menu>
)

interface RoundButtonProps {
  label: string
  title: string
  onClick: () => void
  children: ReactNode
}

const RoundButton = ({ label, title, onClick, children }: RoundButtonProps) => (
  <button type="button" aria-label={label} title={title} onClick={onClick} className={roundClass}>
    {children}
  </button>
)
