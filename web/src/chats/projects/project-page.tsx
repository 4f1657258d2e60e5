import type { Project } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { FolderAccess, FolderFiles, folderById } from '../../drive/drive.ts'
import { Button, buttonClass, IconButton } from '../../ui/controls/button.tsx'
import { Ellipsis, Pencil, Trash2, Users } from '../../ui/icons.ts'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { LoadProblem } from '../../ui/notices/load-problem.tsx'
import { NameDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { Menu, MenuItem } from '../../ui/overlays/menu.tsx'
import { DeleteProject } from './delete-project.tsx'
import { ProjectChats } from './project-chats.tsx'
import { ProjectComposer } from './project-composer.tsx'
import { ProjectInstructions } from './project-instructions.tsx'
import { changeProject, useProject } from './projects.queries.ts'

/** Page of one project: a question begins a chat in it, and files and instructions are beside its chats. */
export function ProjectPage() {
  const { projectId = '' } = useParams({ strict: false })
  const { data: project, error, refetch } = useProject(projectId)
  if (error)
    return (
      <>
        <PageHeader title={t`Projects`} />
        <LoadProblem
          error={error}
          title={t`This project is not here`}
          way={
            <Link to="/projects" className={buttonClass('primary')}>
              <Trans>To the projects</Trans>
            </Link>
          }
          onRetry={refetch}
        />
      </>
    )
  if (!project) return null
  return (
    <>
      <PageHeader title={project.name} actions={<Actions project={project} />} />
      <div className="min-h-0 flex-1 overflow-y-auto scroll-quiet">
        <div className="mx-auto grid max-w-6xl gap-x-8 gap-y-6 p-4 sm:p-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <div className="min-w-0 space-y-6">
            <ProjectComposer key={project.id} project={project} />
            <ProjectChats projectId={project.id} />
          </div>
          <div className="flex min-w-0 flex-col gap-6">
            <ProjectInstructions key={project.id} project={project} />
            <FolderFiles folderId={project.knowledge_base_id} isClosed={!project.can_change} />
          </div>
        </div>
      </div>
    </>
  )
}

function Actions({ project }: { project: Project }) {
  const [open, setOpen] = useState<'sharing' | 'name' | 'deletion' | null>(null)
  const { data: folder } = useQuery(folderById(project.knowledge_base_id))
  const navigate = useNavigate()
  const close = () => setOpen(null)
  return (
    <>
      <Button icon={Users} disabled={!folder} onClick={() => setOpen('sharing')}>
        <Trans>Share with people</Trans>
      </Button>
      {project.can_change && (
        <Menu
          label={t`Actions for ${project.name}`}
          trigger={(props) => <IconButton {...props} label={t`Actions for ${project.name}`} icon={Ellipsis} />}
        >
          <MenuItem icon={Pencil} onSelect={() => setOpen('name')}>
            <Trans>Rename…</Trans>
          </MenuItem>
          <MenuItem icon={Trash2} isDangerous onSelect={() => setOpen('deletion')}>
            <Trans>Delete…</Trans>
          </MenuItem>
        </Menu>
      )}
      {open === 'sharing' && folder && <FolderAccess folder={{ ...folder, name: project.name }} onClose={close} />}
      {open === 'name' && (
        <NameDialog
          title={t`Rename the project`}
          label={t`Name`}
          initial={project.name}
          confirm={t`Rename`}
          act={(name) => changeProject(project.id, { name })}
          onClose={close}
        />
      )}
      {open === 'deletion' && (
        <DeleteProject project={project} onGone={() => navigate({ to: '/projects' })} onClose={close} />
      )}
    </>
  )
}
