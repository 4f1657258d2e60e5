import type { KnowledgeBase } from '@docent/sdk'
import { Link } from '@tanstack/react-router'
import { ChevronRight } from '../ui/icons.ts'

/** Where the open folder lies; its own name is the page's heading. */
export const Breadcrumb = ({ path }: { path: KnowledgeBase[] }) => (
  <nav aria-label="Folders above" className="min-w-0">
    <ol className="flex flex-wrap items-center gap-1">
      <li>
        <Link to="/drive" activeOptions={{ exact: true }} className="text-muted hover:text-ink">
          Drive
        </Link>
      </li>
      {path.map(({ _id, name }, index) => (
        <li key={_id} className="flex min-w-0 items-center gap-1">
          <ChevronRight size={14} className="shrink-0 text-muted" aria-hidden />
          {index < path.length - 1 ? (
            <Link to="/drive/$folderId" params={{ folderId: _id }} className="truncate text-muted hover:text-ink">
              {name}
            </Link>
          ) : (
            <h1 className="min-w-0 truncate font-display text-2xl leading-tight">{name}</h1>
          )}
        </li>
      ))}
    </ol>
  </nav>
)
