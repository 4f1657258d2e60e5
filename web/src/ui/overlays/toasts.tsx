import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { createStore, useStore } from '../../platform/state/store.ts'
import { cx } from '../class-names.ts'
import { IconButton } from '../controls/button.tsx'
import { X } from '../icons.ts'
import { ProgressBar } from '../notices/progress-bar.tsx'

interface ToastOptions {
  isError?: boolean
  /** Action such as undo; choosing it closes the toast. */
  action?: { label: string; run: () => void }
  /**
   * Exact duration; without it a toast stays a few seconds, and while it is pointed at; errors until they are closed.
   */
  shownMs?: number
  /** Progress of running work, 0 to 1; such a toast stays until it is done. */
  progress?: number
}

interface Toast extends ToastOptions {
  id: number
  /** Time at which it was shown, in ms. */
  at: number
  text: string
}

const SHOWN_MS = 5_000
const MOST = 3
const MOMENT_MS = 500

const toasts = createStore<Toast[]>([])
let lastId = 0

export const dismissToast = (id: number): void => toasts.set((all) => all.filter((toast) => toast.id !== id))

/** Shows a toast. @returns an id to update or dismiss it by */
export function toast(text: string, options: ToastOptions = {}): number {
  const id = ++lastId
  // A repeated text replaces the toast that shows it.
  toasts.set((all) => [
    ...all.filter((shown) => shown.text !== text).slice(1 - MOST),
    { ...options, id, text, at: Date.now() },
  ])
  return id
}

/** Takes away errors of the page that is left; those of the last moment may be why it is left. */
export const dismissErrors = (): void =>
  toasts.set((all) => all.filter(({ isError, at }) => !isError || Date.now() - at < MOMENT_MS))

/** Updates the text and progress of a toast. */
export function updateToast(id: number, text: string, progress: number): void {
  toasts.set((all) => all.map((toast) => (toast.id === id ? { ...toast, text, progress } : toast)))
}

/**
 * Toasts below the first line of the page, where they cover no button: uploads and the box for questions are at its
 * end.
 */
export function Toasts() {
  const all = useStore(toasts)
  return (
    <div
      aria-live="polite"
      className="pointer-events-none fixed inset-x-4 top-18 z-40 flex flex-col items-center gap-2"
    >
      {all.map((toast) => (
        <ToastView key={toast.id} {...toast} />
      ))}
    </div>
  )
}

function ToastView({ id, text, isError, action, progress, shownMs }: Toast) {
  const [isHeld, setHeld] = useState(false)
  const stays = isError || progress !== undefined || (isHeld && shownMs === undefined)
  useEffect(() => {
    if (stays) return
    const timer = setTimeout(dismissToast, shownMs ?? SHOWN_MS, id)
    return () => clearTimeout(timer)
  }, [stays, shownMs, id])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: anyone who reads it needs to do nothing.
    <div
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className={cx(
        'pointer-events-auto flex max-w-md animate-rise items-center gap-2 rounded-card py-1.5 pe-2 ps-4 shadow-raised',
        isError ? 'bg-bad text-on-bad' : 'bg-ink text-paper',
      )}
    >
      <div className="min-w-0 flex-1 py-1">
        <p className="wrap-anywhere">{text}</p>
        {progress !== undefined && <ProgressBar label={text} value={progress} className="mt-1.5 w-56" />}
      </div>
      {action && (
        <button
          type="button"
          onClick={() => {
            dismissToast(id)
            action.run()
          }}
          className="rounded-control px-3 py-1.5 font-semibold underline decoration-1 underline-offset-4 hover:decoration-2 focus-visible:outline-current pointer-coarse:py-2.5"
        >
          {action.label}
        </button>
      )}
      <IconButton
        label={t`Close`}
        icon={X}
        className="!text-current focus-visible:outline-current"
        onClick={() => dismissToast(id)}
      />
    </div>
  )
}
