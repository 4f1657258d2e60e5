import { type ReactNode, useEffect, useState } from 'react'
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
    if (open === 'jump') unawaited(loadJump().then(({ JumpDialog }) => setJump(() => JumpDialog)))
    if (open === 'keys') unawaited(loadKeys().then(({ KeysDialog }) => setKeys(() => KeysDialog)))
  }, [open])
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
        {open === 'jump' && Jump && <Jump pages={pages} onClose={close} />}
      </>
    ),
  }
}
