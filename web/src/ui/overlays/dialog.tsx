import { type ReactNode, useEffect, useId, useRef } from 'react'
import { cx } from '../class-names.ts'
import { IconButton } from '../controls/button.tsx'
import { X } from '../icons.ts'

interface DialogProps {
  title: string
  onClose: () => void
  /** Whether it needs more room than a question. */
  isWide?: boolean
  children: ReactNode
}

/**
 * Modal dialog, open as long as it is rendered. Its first field has the focus. Escape and a click beside it close it;
 * focus then returns.
 */
export function Dialog({ title, onClose, isWide = false, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = ref.current!
    const cameFrom = document.activeElement
    dialog.showModal()
    // Before it is open nothing in it takes the focus, and the browser would focus the close button.
    dialog.querySelector<HTMLElement>(':is(input, select, textarea):not(:disabled)')?.focus()
    return () => {
      dialog.close()
      if (cameFrom instanceof HTMLElement && cameFrom.isConnected) cameFrom.focus()
    }
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the key that does the same, and the dialog brings it.
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => event.target === ref.current && onClose()}
      className={cx(
        'm-auto animate-rise rounded-card border border-line bg-paper p-0 text-ink shadow-raised',
        isWide ? 'w-[min(36rem,calc(100vw-2rem))]' : 'w-[min(27rem,calc(100vw-2rem))]',
      )}
    >
      <div className="p-5">
        <div className="mb-3 flex items-start justify-between gap-4">
          <h2 id={titleId} className="text-lg font-semibold">
            {title}
          </h2>
          <IconButton label="Close" icon={X} onClick={onClose} className="-mt-1 -mr-2" />
        </div>
        {children}
      </div>
    </dialog>
  )
}
