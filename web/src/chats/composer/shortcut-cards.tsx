import type { Shortcut } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Slash } from '../../ui/icons.ts'

const MOST = 6

interface ShortcutCardsProps {
  shortcuts: Shortcut[]
  onSelect: (shortcut: Shortcut) => void
}

/** Shortcuts as cards: a click asks, or asks for the values first. The menu of the box has the rest. */
export const ShortcutCards = ({ shortcuts, onSelect }: ShortcutCardsProps) => (
  <ul aria-label={t`Shortcuts`} className="mt-4 grid gap-2 sm:grid-cols-2">
    {shortcuts.slice(0, MOST).map((shortcut) => (
      <li key={shortcut.id}>
        <button
          type="button"
          onClick={() => onSelect(shortcut)}
          className="flex h-full w-full items-start gap-2.5 rounded-card border border-line bg-raised px-3.5 py-3 text-start transition-colors hover:border-line-strong"
        >
          <Slash size={15} className="mt-1 shrink-0 text-accent" aria-hidden />
          <span className="min-w-0">
            <span dir="auto" className="block font-medium wrap-anywhere">
              {shortcut.name}
            </span>
            <span dir="auto" className="line-clamp-2 text-sm text-muted wrap-anywhere">
              {shortcut.prompt}
            </span>
          </span>
        </button>
      </li>
    ))}
  </ul>
)
