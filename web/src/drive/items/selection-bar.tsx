import type { KnowledgeBase } from '@docent/sdk'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { cx } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/controls/button.tsx'
import { X } from '../../ui/icons.ts'
import { useReadOnly } from '../rights.ts'
import { type ActionId, useActions } from './actions.ts'
import type { Item } from './items.ts'

interface SelectionBarProps {
  items: Item[]
  within: KnowledgeBase | null
  onAct: (id: ActionId, items: Item[]) => void
  onClear: () => void
}

/** Bar with the actions on the selection. */
export function SelectionBar({ items, within, onAct, onClear }: SelectionBarProps) {
  const actions = useActions(items, within)(items, within)
  const whyNot = useReadOnly()(items, within)
  return (
    <div role="toolbar" aria-label={t`What is chosen`} className="flex min-w-0 flex-1 items-center gap-1">
      <IconButton label={t`Clear the selection`} icon={X} onClick={onClear} className="-ms-1.5" />
      <p aria-live="polite" className="me-2 shrink-0 font-medium whitespace-nowrap">
        <Trans>{plural(items.length, { one: '# item', other: '# items' })} chosen</Trans>
      </p>
      <div className="flex min-w-0 items-center gap-0.5 overflow-x-auto scroll-quiet">
        {actions.map(({ id, label, icon: Icon, isDangerous }) => (
          <button
            key={id}
            type="button"
            title={label}
            onClick={() => onAct(id, items)}
            className={cx(
              'flex h-8 shrink-0 items-center gap-2 rounded-control px-2.5 whitespace-nowrap hover:bg-hover pointer-coarse:h-10',
              isDangerous && 'text-bad',
            )}
          >
            <Icon size={16} aria-hidden />
            <span className="max-sm:sr-only">{label}</span>
          </button>
        ))}
      </div>
      {whyNot && <p className="ms-2 truncate text-sm text-muted max-lg:hidden">{whyNot}</p>}
    </div>
  )
}
