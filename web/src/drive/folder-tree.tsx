import type { KnowledgeBase } from '@docent/sdk'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { createStore, useStore } from '../platform/store.ts'
import { cx } from '../ui/class-names.ts'
import { ChevronRight, Folder, FolderOpen } from '../ui/icons.ts'
import { useFolderPath, useFolders } from './drive.queries.ts'

/** Folders that are unfolded; kept while other pages are open. */
const unfolded = createStore<ReadonlySet<string>>(new Set())

function toggle(id: string): void {
  unfolded.set((ids) => (ids.has(id) ? ids.difference(new Set([id])) : ids.union(new Set([id]))))
}

interface FolderTreeProps {
  parentId?: string | null
  openId: string | null
}

/** Folders in folders, as nested lists of links; what is below a folder is read when it is unfolded. */
export function FolderTree({ parentId = null, openId }: FolderTreeProps) {
  const { data: folders } = useFolders(parentId)
  const isOuter = parentId === null
  const { data: path } = useFolderPath(isOuter ? openId : null)
  useEffect(() => {
    if (path) unfolded.set((ids) => ids.union(new Set(path.slice(0, -1).map(({ _id }) => _id))))
  }, [path])

  if (!folders?.length) return !folders || isOuter ? null : <p className="py-1 pl-9 text-sm text-muted">No folders</p>
  return (
    <ul className={cx(!isOuter && 'ml-4.5 border-l border-line pl-1')}>
      {folders.map((folder) => (
        <Branch key={folder._id} folder={folder} openId={openId} />
      ))}
    </ul>
  )
}

function Branch({ folder, openId }: { folder: KnowledgeBase; openId: string | null }) {
  const isUnfolded = useStore(unfolded).has(folder._id)
  const Icon = folder._id === openId ? FolderOpen : Folder
  return (
    <li>
      <div className={cx('flex items-center rounded-control hover:bg-hover', folder._id === openId && 'bg-hover')}>
        <button
          type="button"
          aria-expanded={isUnfolded}
          aria-label={`Folders in ${folder.name}`}
          onClick={() => toggle(folder._id)}
          className="flex size-7 shrink-0 items-center justify-center rounded-control text-muted pointer-coarse:size-10"
        >
          <ChevronRight size={14} className={cx('transition-transform', isUnfolded && 'rotate-90')} aria-hidden />
        </button>
        <Link
          to="/drive/$folderId"
          params={{ folderId: folder._id }}
          className="flex min-w-0 flex-1 items-center gap-2 rounded-control py-1.5 pr-2 pointer-coarse:py-2.5"
        >
          <Icon size={16} strokeWidth={1.7} className="shrink-0 text-accent" aria-hidden />
          <span className="truncate">{folder.name}</span>
        </Link>
      </div>
      {isUnfolded && <FolderTree parentId={folder._id} openId={openId} />}
    </li>
  )
}
