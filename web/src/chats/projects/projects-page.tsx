import type { Project } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../access/access.ts'
import { Button } from '../../ui/controls/button.tsx'
import { SearchBox } from '../../ui/controls/search-box.tsx'
import { Time } from '../../ui/data/time.tsx'
import { FolderKanban, Plus } from '../../ui/icons.ts'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { EmptyState } from '../../ui/notices/empty-state.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { NameDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { createProject, useProjects } from './projects.queries.ts'

/** List of the projects that the person may see. */
export function ProjectsPage() {
  const { data: projects, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useProjects()
  const mayCreate = useMay('create_knowledgebase')
  const [isNaming, setNaming] = useState(false)
  const [search, setSearch] = useState('')
  const navigate = useNavigate()
  const wanted = search.trim().toLowerCase()
  const found = projects?.filter(({ name }) => name.toLowerCase().includes(wanted))
  const create = mayCreate && (
    <Button variant="primary" icon={Plus} onClick={() => setNaming(true)}>
      <Trans>New project</Trans>
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t`Projects`}
        actions={
          <div className="flex min-w-0 items-center gap-2 max-sm:w-full">
            {(projects?.length ?? 0) > 0 && (
              <>
                <SearchBox
                  label={t`Find a project`}
                  value={search}
                  onChange={setSearch}
                  className="min-w-0 flex-1 sm:w-52 sm:flex-none"
                />
                {create}
              </>
            )}
          </div>
        }
      />
      <div className="min-h-0 flex-1 overflow-y-auto scroll-quiet p-4 sm:p-6">
        {error && <ReadProblem error={error} onRetry={refetch} />}
        {projects?.length === 0 && (
          <EmptyState icon={FolderKanban} title={t`No projects yet`} action={create}>
            <Trans>
              A project keeps what belongs to one piece of work together: files, instructions and your chats about it.
              Share it, and others work with the same files.
            </Trans>
          </EmptyState>
        )}
        {wanted !== '' && found?.length === 0 && (
          <p className="text-muted">
            <Trans>No project has “{search}” in its name.</Trans>
          </p>
        )}
        <ul aria-label={t`Projects`} className="grid gap-3 sm:grid-cols-[repeat(auto-fill,minmax(17rem,1fr))]">
          {found?.map((project) => (
            <ProjectCard key={project.id} project={project} />
          ))}
        </ul>
        {hasNextPage && (
          <Button className="mt-4" isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
            <Trans>Show more</Trans>
          </Button>
        )}
      </div>
      {isNaming && (
        <NameDialog
          title={t`New project`}
          label={t`Name`}
          confirm={t`Create`}
          act={async (wanted) => {
            const { id, name, folderName } = await createProject(wanted)
            await navigate({ to: '/projects/$projectId', params: { projectId: id } })
            if (folderName !== name)
              toast(t`A folder is called “${name}” already: that of the project is called “${folderName}”.`)
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  )
}

const ProjectCard = ({ project: { id, name, instructions, is_own, updated_at } }: { project: Project }) => (
  <li>
    <Link
      to="/projects/$projectId"
      params={{ projectId: id }}
      className="flex h-full min-h-24 flex-col rounded-card border border-line bg-raised p-4 transition-colors hover:border-line-strong"
    >
      <span className="flex items-center gap-3">
        <span className="flex size-10 shrink-0 items-center justify-center rounded-[0.7rem] bg-hover text-muted">
          <FolderKanban size={18} aria-hidden />
        </span>
        <span dir="auto" className="min-w-0 flex-1 truncate text-start text-base font-semibold">
          {name}
        </span>
      </span>
      <span dir="auto" className="mt-1 line-clamp-2 min-h-[3em] text-start text-muted">
        {instructions || t`No instructions yet`}
      </span>
      <span className="mt-auto flex flex-wrap gap-x-3 pt-2 text-sm text-muted">
        <Time iso={updated_at} />
        {!is_own && <Trans>Shared with you</Trans>}
      </span>
    </Link>
  </li>
)
