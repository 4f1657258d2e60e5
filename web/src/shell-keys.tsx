import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { Page } from './chats/chats.ts'
import { isTaken } from './platform/command-key.ts'
import { withMessages } from './platform/language.ts'
import { unawaited } from './ui/unawaited.ts'

type JumpDialog = typeof import('./chats/jump.pages.ts').JumpDialog
type KeysDialog = typeof import('./keys.pages.ts').KeysDialog

const loadKeys = () => withMessages('keys', () => import('./keys.pages.ts'))
const loadJump = () => withMessages('jump', () => import('./chats/jump.pages.ts'))

interface ShellKeys {
  showKeys: () => void
  opened: ReactNode
}

/**
 * Keyboard shortcuts of every page: the dialog to open another page, and the list of keys.
 * @param pages those of the sidebar
 */
export function useShellKeys(pages: Page[]): ShellKeys {
  const [open, setOpen] = useState<'jump' | 'keys' | null>(null)
  // Not React's lazy: it would show its fallback and lose typed letters even when loaded long before.
  const [Jump, setJump] = useState<JumpDialog | null>(null)
  const [Keys, setKeys] = useState<KeysDialog | null>(null)
  useEffect(() => {
    const giveUp = (error: unknown) => {
      setOpen(null)
      throw error
    }
    if (open === 'jump') unawaited(loadJump().then(({ JumpDialog }) => setJump(() => JumpDialog), giveUp))
    if (open === 'keys') unawaited(loadKeys().then(({ KeysDialog }) => setKeys(() => KeysDialog), giveUp))
  }, [open])
  const typed = useHeldKeys(open === 'jump', () => setOpen(null))
  useEffect(() => {
    const toggle = (what: 'jump' | 'keys') => setOpen((now) => (now === what ? null : what))
    function onKeyDown(event: KeyboardEvent) {
      const isJump = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
      if (isJump && !event.shiftKey && !event.altKey) toggle('jump')
      else if (event.key === '?' && !isTaken(event)) toggle('keys')
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  const close = () => setOpen(null)
  return {
    showKeys: () => setOpen('keys'),
    opened: (
      <>
        {open === 'keys' && Keys && <Keys onClose={close} />}
        {open === 'jump' && Jump && <Jump pages={pages} typed={typed} onClose={close} />}
      </>
    ),
  }
}

/** Holds what is typed while the dialog is on its way: it would go into the field that has the focus, and Enter would send it. */
function useHeldKeys(isOpening: boolean, close: () => void): RefObject<string> {
  const typed = useRef('')
  const onEscape = useRef(close)
  useEffect(() => {
    onEscape.current = close
  })
  useEffect(() => {
    if (!isOpening) return
    typed.current = ''
    function hold(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || document.activeElement?.closest('dialog')) return
      event.preventDefault()
      event.stopPropagation()
      if (event.key === 'Escape') onEscape.current()
      else if (event.key === 'Backspace') typed.current = typed.current.slice(0, -1)
      else if (event.key.length === 1) typed.current += event.key
    }
    addEventListener('keydown', hold, { capture: true })
    return () => removeEventListener('keydown', hold, { capture: true })
  }, [isOpening])
  return typed
}
