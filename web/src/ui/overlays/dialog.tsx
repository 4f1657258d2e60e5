import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { cx } from '../class-names.ts'
import { Button, IconButton } from '../controls/button.tsx'
import { X } from '../icons.ts'
import { readFields } from './read-fields.ts'

const WIDTHS = {
  narrow: 'w-[min(27rem,calc(100vw-2rem))]',
  wide: 'w-[min(36rem,calc(100vw-2rem))]',
  double: 'w-[min(62rem,calc(100vw-2rem))]',
  broad: 'w-[min(80rem,calc(100vw-2rem))]',
}
export type DialogWidth = keyof typeof WIDTHS

interface DialogProps {
  title: string
  onClose: () => void
  /**
   * `wide` has more room than a question needs, `double` room for a form with a preview beside it, `broad` room for two
   * texts beside each other. Default: `narrow`.
   */
  width?: DialogWidth
  /** Whether it asks before it throws away what was typed. */
  isForm?: boolean
  children: ReactNode
}

/**
 * Modal dialog, open as long as it is rendered. Its first field has the focus. Escape and a click that begins and ends
 * beside it close it; focus then returns.
 */
export function Dialog({ title, onClose, width = 'narrow', isForm = false, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const pressed = useRef<EventTarget | null>(null)
  const released = useRef<EventTarget | null>(null)
  const untouched = useRef('')
  const isTyped = useRef(false)
  const [isAsking, setAsking] = useState(false)
  const titleId = useId()

  function leave() {
    if (isForm && isTyped.current && readFields(ref.current!) !== untouched.current) setAsking(true)
    else onClose()
  }

  useEffect(() => {
    const dialog = ref.current!
    const cameFrom = document.activeElement
    dialog.showModal()
    untouched.current = readFields(dialog)
    // Before it is open nothing in it takes the focus, and the browser would focus the close button.
    dialog.querySelector<HTMLElement>(':is(input, select, textarea):not(:disabled)')?.focus()
    return () => {
      dialog.close()
      const isThere = cameFrom instanceof HTMLElement && cameFrom.isConnected && cameFrom !== document.body
      const next = isThere ? cameFrom : document.getElementById('page')
      next?.focus()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onKeyDown={(event) => onEscape(event, leave)}
      onCancel={(event) => {
        // A field for files sends an event of that name, too.
        if (event.target !== ref.current) return
        event.preventDefault()
        leave()
      }}
      // Some browsers close it at the second Escape even if the page prevents it.
      onClose={({ target }) => target === ref.current && !ref.current.open && ref.current.showModal()}
      onInput={() => {
        isTyped.current = true
      }}
      onPointerDown={({ target }) => {
        pressed.current = target
      }}
      onPointerUp={({ target }) => {
        released.current = target
      }}
      // A press that begins or ends inside is a click on the dialog, too: on what both places are in.
      onClick={({ target }) =>
        [target, pressed.current, released.current].every((place) => place === ref.current) && leave()
      }
      className={cx(
        'm-auto animate-rise rounded-card border border-line bg-paper p-0 text-ink shadow-raised',
        WIDTHS[width],
      )}
    >
      <div className="p-5">
        <div className="mb-3 flex items-start justify-between gap-4">
          <h2 id={titleId} className="text-lg font-semibold">
            {title}
          </h2>
          <IconButton label={t`Close`} icon={X} onClick={leave} className="-mt-1 -me-2" />
        </div>
        {children}
      </div>
      {isAsking && <Discard onKeep={() => setAsking(false)} onDiscard={onClose} />}
    </dialog>
  )
}

function onEscape(event: KeyboardEvent, act: () => void) {
  if (event.key !== 'Escape' || event.defaultPrevented || event.nativeEvent.isComposing) return
  event.preventDefault()
  event.stopPropagation()
  act()
}

const Discard = ({ onKeep, onDiscard }: { onKeep: () => void; onDiscard: () => void }) => (
  <Dialog title={t`Throw away what you typed?`} onClose={onKeep}>
    <p className="text-muted">
      <Trans>It is not saved yet.</Trans>
    </p>
    <div className="mt-5 flex justify-end gap-2">
      <Button autoFocus onClick={onKeep}>
        <Trans>Keep editing</Trans>
      </Button>
      <Button variant="danger" onClick={onDiscard}>
        <Trans>Throw away</Trans>
      </Button>
    </div>
  </Dialog>
)
