import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { FolderKanban } from '../../ui/icons.ts'
import { useProject } from './projects.queries.ts'

/** Link from a chat to its project; nothing for a project that the person may not see any more. */
export function InProject({ projectId }: { projectId: string }) {
  const { data: project } = useProject(projectId)
  if (!project) return null
  return (
    <Link
      to="/projects/$projectId"
      params={{ projectId }}
      title={t`Project`}
      className="flex min-w-0 max-w-48 shrink items-center gap-1.5 rounded-full border border-line px-2.5 py-0.5 text-sm text-muted hover:border-line-strong hover:text-ink"
    >
      <FolderKanban size={14} className="shrink-0" aria-hidden />
      <span dir="auto" className="truncate">
        {project.name}
      </span>
    </Link>
  )
}
