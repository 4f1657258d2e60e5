import { type KeyboardEvent, useState } from 'react'
import { explain } from '../platform/errors.ts'
import { ArrowUp, Square } from '../ui/icons.ts'
import { toast } from '../ui/toasts.tsx'

interface ComposerProps {
  /** Whose answer is asked for. */
  agentName: string
  /** Resolves once the question is on its way; the text stays when it does not get there. */
  onAsk: (query: string) => Promise<void>
  /** Ends the answer that is on its way; absent when there is none. */
  onStop?: () => Promise<void>
  /** Whether the page begins in it. Default: true. */
  isEager?: boolean
}

const roundClass =
  'flex size-9 shrink-0 items-center justify-center rounded-[0.7rem] bg-accent text-on-accent transition-colors hover:bg-accent-hover disabled:bg-hover disabled:text-muted pointer-coarse:size-10'

/** The box for the next question. Enter asks, Shift+Enter begins a new line. */
export function Composer({ agentName, onAsk, onStop, isEager = true }: ComposerProps) {
  const [text, setText] = useState('')
  const isReady = text.trim() !== '' && !onStop

  async function send() {
    if (!isReady) return
    setText('')
    await onAsk(text.trim()).catch(() => setText((now) => now || text))
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
      className="flex items-end gap-2 rounded-[1.1rem] border border-line-strong/60 bg-raised p-2 pl-4 shadow-raised transition-colors focus-within:border-accent"
    >
      <label className="flex min-w-0 flex-1">
        <span className="sr-only">Your question to {agentName}</span>
        <textarea
          rows={1}
          maxLength={200_000}
          // biome-ignore lint/a11y/noAutofocus: a page for asking begins in its box; on a phone that would hide the page.
          autoFocus={isEager && matchMedia('(pointer: fine)').matches}
          enterKeyHint="send"
          placeholder={`Ask ${agentName}`}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          className="field-sizing-content max-h-56 w-full resize-none self-center overflow-y-auto scroll-quiet bg-transparent py-1.5 text-base outline-none"
        />
      </label>
      {onStop ? (
        <button
          type="button"
          aria-label="Stop the answer"
          title="Stop the answer"
          onClick={() => onStop().catch((error) => toast(explain(error), { isError: true }))}
          className={roundClass}
        >
          <Square size={14} fill="currentColor" aria-hidden />
        </button>
      ) : (
        <button type="submit" aria-label="Ask" title="Ask (Enter)" disabled={!isReady} className={roundClass}>
          <ArrowUp size={18} aria-hidden />
        </button>
      )}
    </form>
  )
}
