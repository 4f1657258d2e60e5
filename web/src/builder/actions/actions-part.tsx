import type { Job, Shortcut } from '@docent/sdk'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { explain } from '../../platform/errors.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { Pencil, Plus, Trash2 } from '../../ui/icons.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { ConfirmDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { deleteJob, deleteShortcut, useJobs, useShortcuts } from '../builder.queries.ts'
import { EmptyList, PartSection, RowList } from '../part-section.tsx'
import { JobForm } from './job-form.tsx'
import { ShortcutForm } from './shortcut-form.tsx'

type Open =
  | { kind: 'job'; job: Job | null }
  | { kind: 'shortcut'; shortcut: Shortcut | null }
  | { kind: 'delete-job'; job: Job }
  | { kind: 'delete-shortcut'; shortcut: Shortcut }

/** Place in a prompt, as an example. */
const PLACE = '{{customer}}'

interface ActionsPartProps {
  agentId: string
  /** Names of the agent's tools, sub-agents and MCP servers; a job may narrow them. */
  tools: string[]
  /** Folders of the agent. */
  folderIds: string[]
}

/** Jobs and shortcuts of the agent. Each is saved on its own. */
export function ActionsPart({ agentId, tools, folderIds }: ActionsPartProps) {
  const jobs = useJobs(agentId)
  const shortcuts = useShortcuts(agentId)
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const problem = jobs.error ?? shortcuts.error
  const jobName = (id: string | null) => jobs.data?.find((job) => job.id === id)?.name
  return (
    <>
      {problem && <Notice>{explain(problem)}</Notice>}
      <PartSection
        title={t`Shortcuts`}
        isWaiting={shortcuts.isLoading}
        about={t`Questions that are asked often: people fill in a few fields, and the agent gets the whole prompt.`}
        action={
          <Button icon={Plus} onClick={() => setOpen({ kind: 'shortcut', shortcut: null })}>
            <Trans>New shortcut</Trans>
          </Button>
        }
      >
        {shortcuts.data?.length === 0 && (
          <EmptyList>
            <Trans>No shortcut yet. Write a prompt with places like {PLACE}, and people get a form for it.</Trans>
          </EmptyList>
        )}
        {shortcuts.data && shortcuts.data.length > 0 && (
          <RowList label={t`Shortcuts`}>
            {shortcuts.data.map((shortcut) => (
              <Row
                key={shortcut.id}
                name={shortcut.name}
                about={[
                  shortcut.prompt,
                  shortcut.fields.length > 0 && plural(shortcut.fields.length, { one: '# field', other: '# fields' }),
                  jobName(shortcut.job_id),
                ]}
                onEdit={() => setOpen({ kind: 'shortcut', shortcut })}
                onDelete={() => setOpen({ kind: 'delete-shortcut', shortcut })}
              />
            ))}
          </RowList>
        )}
      </PartSection>
      <PartSection
        title={t`Jobs`}
        about={t`Special tasks: each adds instructions to the agent’s own, and may leave it fewer tools. Shortcuts and API calls name them.`}
        action={
          <Button icon={Plus} onClick={() => setOpen({ kind: 'job', job: null })}>
            <Trans>New job</Trans>
          </Button>
        }
      >
        {jobs.data?.length === 0 && (
          <EmptyList>
            <Trans>No job yet. “Summarize a contract” or “Check an invoice” are examples.</Trans>
          </EmptyList>
        )}
        {jobs.data && jobs.data.length > 0 && (
          <RowList label={t`Jobs`}>
            {jobs.data.map((job) => (
              <Row
                key={job.id}
                name={job.name}
                about={[
                  job.instructions,
                  job.tools !== null && plural(job.tools.length, { one: '# tool', other: '# tools' }),
                  job.filters !== null && t`only some files`,
                ]}
                onEdit={() => setOpen({ kind: 'job', job })}
                onDelete={() => setOpen({ kind: 'delete-job', job })}
              />
            ))}
          </RowList>
        )}
      </PartSection>
      {open?.kind === 'job' && (
        <JobForm agentId={agentId} job={open.job} tools={tools} folderIds={folderIds} onClose={close} />
      )}
      {open?.kind === 'shortcut' && (
        <ShortcutForm agentId={agentId} shortcut={open.shortcut} jobs={jobs.data ?? []} onClose={close} />
      )}
      {open?.kind === 'delete-job' && (
        <ConfirmDialog
          title={t`Delete this job?`}
          confirm={t`Delete`}
          act={() => deleteJob(agentId, open.job.id)}
          onClose={close}
        >
          <Trans>“{open.job.name}” is gone for good; shortcuts that name it stay, without a job.</Trans>
        </ConfirmDialog>
      )}
      {open?.kind === 'delete-shortcut' && (
        <ConfirmDialog
          title={t`Delete this shortcut?`}
          confirm={t`Delete`}
          act={() => deleteShortcut(agentId, open.shortcut.id)}
          onClose={close}
        >
          <Trans>“{open.shortcut.name}” is gone for good; answers that it got stay.</Trans>
        </ConfirmDialog>
      )}
    </>
  )
}

interface RowProps {
  name: string
  about: (string | false | undefined)[]
  onEdit: () => void
  onDelete: () => void
}

const Row = ({ name, about, onEdit, onDelete }: RowProps) => (
  <li className="flex items-center gap-1 py-2.5 pe-2 ps-3.5">
    <div className="min-w-0 flex-1">
      <h3 className="truncate font-medium">
        <bdi>{name}</bdi>
      </h3>
      <p className="truncate text-sm text-muted">
        <bdi>{about.filter(Boolean).join(' · ') || t`No instructions yet`}</bdi>
      </p>
    </div>
    <IconButton label={t`Change ${name}`} icon={Pencil} onClick={onEdit} />
    <IconButton label={t`Delete ${name}`} icon={Trash2} onClick={onDelete} />
  </li>
)
