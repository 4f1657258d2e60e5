import type { KnowledgeBase } from '@docent/sdk'
import { plural, t } from '@lingui/core/macro'
import { cx } from '../../ui/class-names.ts'
import { ChevronRight } from '../../ui/icons.ts'

interface FoldButtonProps {
  folder: Pick<KnowledgeBase, 'name' | 'child_folders_count'>
  isUnfolded: boolean
  onToggle: () => void
}

const ROOM = 'size-7 shrink-0 pointer-coarse:size-10'

/** Chevron that unfolds the folders in a folder; only the room for it where there are none. */
export function FoldButton({
  folder: { name, child_folders_count: inside = 0 },
  isUnfolded,
  onToggle,
}: FoldButtonProps) {
  if (inside === 0) return <span className={ROOM} />
  return (
    <button
      type="button"
      aria-expanded={isUnfolded}
      aria-label={t`${plural(inside, { one: '# folder', other: '# folders' })} in ${name}`}
      onClick={onToggle}
      className={cx('flex items-center justify-center rounded-control text-muted hover:bg-hover', ROOM)}
    >
      <ChevronRight size={14} className={cx('transition-transform', isUnfolded && 'rotate-90')} aria-hidden />
    </button>
  )
}
