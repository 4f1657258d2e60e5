import { t } from '@lingui/core/macro'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { LanguageDialog, VoiceDialog } from './access/access.ts'
import type { Page } from './chats/chats.ts'
import { isTaken } from './platform/command-key.ts'
import { withMessages } from './platform/language.ts'
import { Keyboard, Languages, Volume2 } from './ui/icons.ts'
import { unawaited } from './ui/unawaited.ts'

type PaletteType = typeof import('./whole-palette.tsx').WholePalette
type KeysDialog = typeof import('./keys.pages.ts').KeysDialog

const loadKeys = () => withMessages('keys', () => import('./keys.pages.ts'))
const loadPalette = () =>
  withMessages('palette', () => withMessages('settings-frame', () => import('./whole-palette.tsx')))

interface ShellKeys {
  showKeys: () => void
  opened: ReactNode
}

/**
 * Keyboard shortcuts of every page: the palette, and the list of keys.
 * @param pages those of the sidebar
 */
export function useShellKeys(pages: Page[]): ShellKeys {
  const [open, setOpen] = useState<'palette' | 'keys' | 'language' | 'voice' | null>(null)
  // Not React's lazy: it would show its fallback and lose typed letters even when loaded long before.
  const [Palette, setPalette] = useState<PaletteType | null>(null)
  const [Keys, setKeys] = useState<KeysDialog | null>(null)
  useEffect(() => {
    const giveUp = (error: unknown) => {
      setOpen(null)
      throw error
    }
    if (open === 'palette') unawaited(loadPalette().then(({ WholePalette }) => setPalette(() => WholePalette), giveUp))
    if (open === 'keys') unawaited(loadKeys().then(({ KeysDialog }) => setKeys(() => KeysDialog), giveUp))
  }, [open])
  const typed = useHeldKeys(open === 'palette', () => setOpen(null))
  useEffect(() => {
    const toggle = (what: 'palette' | 'keys') => setOpen((now) => (now === what ? null : what))
    function onKeyDown(event: KeyboardEvent) {
      const isPalette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
      if (isPalette && !event.shiftKey && !event.altKey) toggle('palette')
      else if (event.key === '?' && !isTaken(event)) toggle('keys')
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  const close = () => setOpen(null)
  const commands = () => [
    { id: 'language', icon: Languages, name: t`Language`, go: () => setOpen('language') },
    { id: 'voice', icon: Volume2, name: t`Voice`, go: () => setOpen('voice') },
    { id: 'keys', icon: Keyboard, name: t`Keys`, go: () => setOpen('keys') },
  ]
  return {
    showKeys: () => setOpen('keys'),
    opened: (
      <>
        {open === 'keys' && Keys && <Keys onClose={close} />}
        {open === 'language' && <LanguageDialog onClose={close} />}
        {open === 'voice' && <VoiceDialog onClose={close} />}
        {open === 'palette' && Palette && <Palette pages={pages} commands={commands()} typed={typed} onClose={close} />}
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
