import { createStore, useStore } from '../platform/store.ts'
import { IconButton } from './button.tsx'
import { cx } from './class-names.ts'
import { X } from './icons.ts'

interface Toast {
  id: number
  text: string
  isError: boolean
}

const SHOWN_MS = 5_000

const toasts = createStore<Toast[]>([])
let lastId = 0

const dismiss = (id: number) => toasts.set((all) => all.filter((toast) => toast.id !== id))

/** Tells what was done. Errors stay until they are closed. */
export function toast(text: string, { isError = false } = {}): void {
  const id = ++lastId
  toasts.set((all) => [...all.slice(-2), { id, text, isError }])
  if (!isError) setTimeout(dismiss, SHOWN_MS, id)
}

export function Toasts() {
  const all = useStore(toasts)
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 bottom-4 z-40 flex flex-col items-center gap-2 sm:items-end"
    >
      {all.map(({ id, text, isError }) => (
        <div
          key={id}
          className={cx(
            'pointer-events-auto flex max-w-md animate-rise items-center gap-2 rounded-card py-1.5 pr-2 pl-4 shadow-raised',
            isError ? 'bg-bad text-on-bad' : 'bg-ink text-paper',
          )}
        >
          <p className="min-w-0 flex-1 py-1 wrap-anywhere">{text}</p>
          <IconButton label="Close" icon={X} className="text-current hover:text-current" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  )
}
