import { type ReactNode, useId, useRef, useState } from 'react'
import { cx } from '../class-names.ts'
import { place } from './menu.tsx'

interface PopoverProps {
  /** Accessible name of what opens. */
  label: string
  /** Receives the attributes that make a button open it. */
  trigger: (props: { popoverTarget: string; 'aria-haspopup': 'dialog'; id: string }) => ReactNode
  align?: 'start' | 'end'
  className?: string
  /** Content, which is there only while it is open. @param close closes it */
  children: (close: () => void) => ReactNode
}

/** Surface under its button with fields in it, where a menu would have items. Closes on Escape and on a click outside. */
export function Popover({ label, trigger, align = 'end', className, children }: PopoverProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const surface = useRef<HTMLDivElement>(null)
  const growing = useRef<ResizeObserver>(undefined)
  function put() {
    // Both may be gone when the browser tells that it was opened or has grown.
    const button = document.getElementById(`${id}-button`)
    if (surface.current && button) place(surface.current, button.getBoundingClientRect(), align)
  }
  return (
    <>
      {trigger({ popoverTarget: id, 'aria-haspopup': 'dialog', id: `${id}-button` })}
      <div
        ref={surface}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        onKeyDown={(event) => event.stopPropagation()}
        onToggle={({ newState }) => {
          setOpen(newState === 'open')
          growing.current?.disconnect()
          if (newState !== 'open') return
          put()
          // Its content may be loaded later, or become longer.
          growing.current = new ResizeObserver(put)
          if (surface.current) growing.current.observe(surface.current)
        }}
        className={cx(
          'fixed inset-auto m-0 max-h-[80dvh] overflow-hidden rounded-[0.7rem] border border-line bg-raised text-ink shadow-raised',
          className,
        )}
      >
        {isOpen && children(() => surface.current?.hidePopover())}
      </div>
    </>
  )
}
