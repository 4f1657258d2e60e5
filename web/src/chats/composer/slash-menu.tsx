import type { Shortcut } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { cx } from '../../ui/class-names.ts'

interface SlashMenuProps {
  id: string
  shortcuts: Shortcut[]
  /** Index of the entry that Enter chooses. */
  at: number
  onSelect: (shortcut: Shortcut) => void
}

/** Shortcuts that match the text after a slash. */
export const SlashMenu = ({ id, shortcuts, at, onSelect }: SlashMenuProps) => (
  <div
    id={id}
    role="listbox"
    aria-label={t`Shortcuts`}
    className="absolute inset-x-0 bottom-full z-10 mb-2 max-h-64 overflow-y-auto scroll-quiet rounded-[0.7rem] border border-line bg-raised p-1 shadow-raised"
  >
    {shortcuts.map((shortcut, index) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the box, which keeps the focus.
      // biome-ignore lint/a11y/useFocusableInteractive: see above
      <div
        key={shortcut.id}
        id={`${id}-${index}`}
        role="option"
        aria-selected={index === at}
        // The box keeps the focus.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onSelect(shortcut)}
        className={cx(
          'cursor-pointer rounded-control px-3 py-1.5 hover:bg-hover pointer-coarse:py-2.5',
          index === at && 'bg-hover',
        )}
      >
        <span className="font-medium">{shortcut.name}</span>
        <span className="block truncate text-sm text-muted">{shortcut.prompt}</span>
      </div>
    ))}
  </div>
)
