import type { KnowledgeBase } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { cx } from '../../ui/class-names.ts'
import { ChevronRight } from '../../ui/icons.ts'
import { useDropTarget } from '../moves/drag.ts'
import { useReadOnlyReason } from '../rights.ts'

interface BreadcrumbProps {
  path: KnowledgeBase[]
  /** Name of the open file in the innermost folder, which is then one of the ancestors. */
  leaf?: string
}

/** Ancestors of the open folder or file, whose own name is the page's heading. Rows can be dropped onto them. */
export function Breadcrumb({ path, leaf }: BreadcrumbProps) {
  const above = leaf === undefined ? path.slice(0, -1) : path
  const name = leaf ?? path.at(-1)?.name
  // On narrow screens the file's name takes the room: closing the file leads to its folder.
  const isFile = leaf !== undefined
  return (
    <nav aria-label={t`Folders above`} className="min-w-0 flex-1 basis-40 sm:basis-52">
      <ol className="flex min-w-0 items-center gap-1">
        <Crumb folder={null} isFar={isFile || above.length > 1} />
        {above.length > 1 && !isFile && <li className="flex shrink-0 items-center gap-1 text-muted sm:hidden">…</li>}
        {above.map((folder, index) => (
          <Crumb key={folder._id} folder={folder} isFar={isFile || index < above.length - 1} />
        ))}
        <li className="flex min-w-24 items-center gap-1">
          <ChevronRight size={14} className={cx('shrink-0 text-muted', isFile && 'max-sm:hidden')} aria-hidden />
          <h1 className="sm:ms-1.5 min-w-0 truncate font-display text-[1.9rem] leading-tight" title={name}>
            <bdi>{name}</bdi>
          </h1>
        </li>
      </ol>
    </nav>
  )
}

function Crumb({ folder, isFar = false }: { folder: KnowledgeBase | null; isFar?: boolean }) {
  const readOnlyReason = useReadOnlyReason()
  const { isOver, handlers } = useDropTarget({
    target: folder,
    isReadOnly: folder !== null && !!readOnlyReason(folder),
  })
  const className = cx(
    'truncate rounded-control px-1.5 py-0.5 text-muted hover:bg-hover hover:text-ink',
    isOver && 'bg-accent-soft text-ink ring-2 ring-accent',
  )
  return (
    <li
      {...handlers}
      className={cx('flex min-w-0 items-center gap-1', isFar && 'max-sm:hidden', !folder && 'shrink-0')}
    >
      {folder && <ChevronRight size={14} className="shrink-0 text-muted" aria-hidden />}
      {folder ? (
        <Link to="/drive/$folderId" params={{ folderId: folder._id }} className={className}>
          <bdi>{folder.name}</bdi>
        </Link>
      ) : (
        <Link to="/drive" activeOptions={{ exact: true }} className={cx(className, '-ms-1.5')}>
          <Trans>Drive</Trans>
        </Link>
      )}
    </li>
  )
}
