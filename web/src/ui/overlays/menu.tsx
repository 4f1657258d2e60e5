import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef } from 'react'
import { cx } from '../class-names.ts'
import type { LucideIcon } from '../icons.ts'

const GAP = 6
const MARGIN = 8

interface MenuProps {
  /** Accessible name of the menu. */
  label: string
  /** Receives the attributes that make a button open the menu. */
  trigger: (props: { popoverTarget: string; 'aria-haspopup': 'menu'; id: string }) => ReactNode
  align?: 'start' | 'end'
  className?: string
  children: ReactNode
}

/** Menu under its button: a native popover, which closes on Escape and on a click outside. */
export function Menu({ label, trigger, align = 'end', className, children }: MenuProps) {
  const id = useId()
  const ref = useRef<HTMLDivElement>(null)

  return (
    <>
      {trigger({ popoverTarget: id, 'aria-haspopup': 'menu', id: `${id}-button` })}
      <Surface
        id={id}
        label={label}
        className={className}
        menu={ref}
        onOpen={() => place(ref.current!, document.getElementById(`${id}-button`)!.getBoundingClientRect(), align)}
      >
        {children}
      </Surface>
    </>
  )
}

interface MenuAtProps {
  label: string
  /** Anchor of the menu: an element, or a point. */
  at: { left: number; right: number; top: number; bottom: number }
  onClose: () => void
  className?: string
  children: ReactNode
}

/** Menu without a button of its own, open as long as it is rendered: for lists whose rows share one. */
export function MenuAt({ label, at, onClose, className, children }: MenuAtProps) {
  const id = useId()
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const cameFrom = document.activeElement
    ref.current!.showPopover()
    return () => {
      if (cameFrom instanceof HTMLElement && cameFrom.isConnected) cameFrom.focus({ preventScroll: true })
    }
  }, [])
  return (
    <Surface
      id={id}
      label={label}
      className={className}
      menu={ref}
      onOpen={() => place(ref.current!, at, at.left === at.right ? 'start' : 'end')}
      onClose={onClose}
    >
      {children}
    </Surface>
  )
}

/** Puts it below the anchor if there is room, else above it; from right to left its start is on the right. */
export function place(menu: HTMLElement, from: MenuAtProps['at'], align: 'start' | 'end'): void {
  const { offsetWidth: width, offsetHeight: height } = menu
  const isOnRight = (align === 'end') !== (document.documentElement.dir === 'rtl')
  const left = isOnRight ? from.right - width : from.left
  const isBelow = from.bottom + GAP + height < innerHeight - MARGIN
  menu.style.left = `${Math.max(MARGIN, Math.min(left, innerWidth - width - MARGIN))}px`
  menu.style.top = `${isBelow ? from.bottom + GAP : Math.max(MARGIN, from.top - GAP - height)}px`
}

interface SurfaceProps {
  id: string
  label: string
  className?: string
  menu: RefObject<HTMLDivElement | null>
  onOpen: () => void
  onClose?: () => void
  children: ReactNode
}

function Surface({ id, label, className, menu: ref, onOpen, onClose, children }: SurfaceProps) {
  const items = () => [...ref.current!.querySelectorAll<HTMLElement>('[role^=menuitem]:not(:disabled)')]

  function move(event: KeyboardEvent) {
    // Elements below it have keys of their own.
    event.stopPropagation()
    const all = items()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next = { ArrowDown: at + 1, ArrowUp: at < 0 ? -1 : at - 1, Home: 0, End: -1 }[event.key]
    if (event.key === 'Tab') ref.current!.hidePopover()
    if (next === undefined) return focusByLetter(event, all, at)
    event.preventDefault()
    all.at(next % all.length)?.focus()
  }

  return (
    <div
      ref={(menu) => {
        ref.current = menu
        // React would focus it instead of setting the attribute for the popover, which handles keys at once.
        menu?.setAttribute('autofocus', '')
      }}
      id={id}
      popover="auto"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={move}
      onToggle={(event) => {
        if (event.newState !== 'open') return onClose?.()
        onOpen()
        const checked = ref.current!.querySelector<HTMLElement>('[aria-checked=true]')
        if (!items().includes(document.activeElement as HTMLElement)) (checked ?? items()[0])?.focus()
      }}
      onClick={(event) => (event.target as Element).closest('[role^=menuitem]') && ref.current!.hidePopover()}
      className={cx(
        'fixed inset-auto m-0 max-h-[min(30rem,80dvh)] min-w-44 overflow-auto rounded-[0.7rem] border border-line',
        'bg-raised p-1 text-ink shadow-raised outline-none',
        className,
      )}
    >
      {children}
    </div>
  )
}

/** Goes to the next item that begins with the letter of a key, as menus of the system do. */
function focusByLetter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent, items: HTMLElement[], at: number): void {
  if (key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return
  const letter = key.toLocaleLowerCase()
  const following = [...items.slice(at + 1), ...items.slice(0, at + 1)]
  following.find(({ textContent }) => textContent?.trim().toLocaleLowerCase().startsWith(letter))?.focus()
}

interface MenuItemProps {
  icon?: LucideIcon
  onSelect: () => void
  isDangerous?: boolean
  /** Set for items of which one is chosen. */
  isChecked?: boolean
  /** Keyboard shortcut of the item. */
  shortcut?: string
  children: ReactNode
}

export function MenuItem({ icon: Icon, onSelect, isDangerous, isChecked, shortcut, children }: MenuItemProps) {
  return (
    <button
      type="button"
      {...(isChecked === undefined ? { role: 'menuitem' } : { role: 'menuitemradio', 'aria-checked': isChecked })}
      tabIndex={-1}
      onClick={onSelect}
      className={cx(
        'flex w-full items-center gap-2.5 rounded-control px-2.5 py-1.5 text-start pointer-coarse:py-2.5',
        'hover:bg-hover focus-visible:bg-hover focus-visible:outline-none aria-checked:bg-accent-soft',
        isDangerous && 'text-bad',
      )}
    >
      {Icon && <Icon size={16} className="shrink-0 opacity-75" aria-hidden />}
      <span className="min-w-0 flex-1">{children}</span>
      {shortcut && (
        <kbd aria-hidden className="ps-4 font-sans text-xs text-muted pointer-coarse:hidden">
          {shortcut}
        </kbd>
      )}
    </button>
  )
}
