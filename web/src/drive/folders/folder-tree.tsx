import type { KnowledgeBase } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useMe } from '../../access/access.ts'
import { createStore, useStore } from '../../platform/state/store.ts'
import { cx } from '../../ui/class-names.ts'
import { Folder, FolderOpen, FolderSymlink, Users } from '../../ui/icons.ts'
import { useFolderPath, useFolders } from '../drive.queries.ts'
import { useDropTarget } from '../moves/drag.ts'
import { useReadOnlyReason } from '../rights.ts'
import { FoldButton } from './fold-button.tsx'

/** Unfolded folders; kept while other pages are open. */
const unfolded = createStore<ReadonlySet<string>>(new Set())

function toggle(id: string): void {
  unfolded.set((ids) => (ids.has(id) ? ids.difference(new Set([id])) : ids.union(new Set([id]))))
}

interface FolderTreeProps {
  parentId?: string | null
  openId: string | null
}

/** Folder tree as nested lists of links; subfolders are read when a folder is unfolded. */
export function FolderTree({ parentId = null, openId }: FolderTreeProps) {
  const { data: folders } = useFolders(parentId)
  const isOuter = parentId === null
  const { data: path } = useFolderPath(isOuter ? openId : null)
  useEffect(() => {
    if (path) unfolded.set((ids) => ids.union(new Set(path.slice(0, -1).map(({ _id }) => _id))))
  }, [path])

  if (!folders?.length) return null
  return (
    <ul className={cx(!isOuter && 'ms-4.5 border-s border-line ps-1')}>
      {folders.map((folder) => (
        <Branch key={folder._id} folder={folder} openId={openId} />
      ))}
    </ul>
  )
}

function Branch({ folder, openId }: { folder: KnowledgeBase; openId: string | null }) {
  const isUnfolded = useStore(unfolded).has(folder._id)
  const readOnlyReason = useReadOnlyReason()
  const { data: me } = useMe()
  const isShared = me !== undefined && folder.organization_id !== me.organization.id
  const { child_folders_count: inside = 0 } = folder
  const Icon = folder.integration_id ? FolderSymlink : folder._id === openId ? FolderOpen : Folder
  const { isOver, handlers } = useDropTarget({
    target: folder,
    isReadOnly: readOnlyReason(folder) !== undefined,
    onHold: () => unfolded.set((ids) => ids.union(new Set([folder._id]))),
  })
  return (
    <li>
      <div
        {...handlers}
        className={cx(
          'flex items-center rounded-control hover:bg-hover',
          folder._id === openId && 'bg-hover',
          isOver && 'bg-accent-soft ring-2 ring-accent ring-inset',
        )}
      >
        <FoldButton folder={folder} isUnfolded={isUnfolded} onToggle={() => toggle(folder._id)} />
        <Link
          to="/drive/$folderId"
          params={{ folderId: folder._id }}
          draggable={false}
          aria-current={folder._id === openId ? 'page' : undefined}
          className="flex min-w-0 flex-1 items-center gap-2 rounded-control py-1.5 pe-2 pointer-coarse:py-2.5"
        >
          <Icon size={16} strokeWidth={1.7} className="shrink-0 text-accent" aria-hidden />
          <span className="truncate" title={folder.name}>
            <bdi>{folder.name}</bdi>
          </span>
          {isShared && folder.parent_kb_id === null && (
            <Users size={14} className="ms-auto shrink-0 text-muted" aria-label={t`Shared with you`} />
          )}
          {inside > 0 && (
            <span aria-hidden className="ms-auto shrink-0 text-xs text-muted tabular-nums">
              {inside}
            </span>
          )}
        </Link>
      </div>
      {isUnfolded && inside > 0 && <FolderTree parentId={folder._id} openId={openId} />}
    </li>
  )
}
