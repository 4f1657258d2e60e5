import type { KnowledgeBase } from '@docent/sdk'
import { Link } from '@tanstack/react-router'
import { Folder } from '../ui/icons.ts'
import { FolderMenu } from './folder-menu.tsx'

export const FolderRow = ({ folder }: { folder: KnowledgeBase }) => (
  <li className="relative flex items-center gap-3 px-3 py-2.5 transition-colors hover:bg-hover">
    <Folder size={18} strokeWidth={1.6} className="shrink-0 text-accent" aria-hidden />
    <Link
      to="/drive/$folderId"
      params={{ folderId: folder._id }}
      className="min-w-0 flex-1 truncate font-medium before:absolute before:inset-0"
    >
      {folder.name}
    </Link>
    <div className="relative">
      <FolderMenu folder={folder} />
    </div>
  </li>
)
