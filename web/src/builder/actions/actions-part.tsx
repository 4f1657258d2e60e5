import type { Job, Shortcut } from '@docent/sdk'
import { useState } from 'react'
import { explain } from '../../platform/errors.ts'
import { count } from '../../platform/format.ts'
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

interface ActionsPartProps {
  agentId: string
  /** Names of the agent's tools, sub-agents and MCP servers; a job may narrow them. */
  tools: string[]
}

/** Jobs and shortcuts of the agent. Each is saved on its own. */
export function ActionsPart({ agentId, tools }: ActionsPartProps) {
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
        title="Shortcuts"
        about="Questions that are asked often: people fill in a few fields, and the agent gets the whole prompt."
        action={
          <Button icon={Plus} onClick={() => setOpen({ kind: 'shortcut', shortcut: null })}>
            New shortcut
          </Button>
        }
      >
        {shortcuts.data?.length === 0 && (
          <EmptyList>
            No shortcut yet. Write a prompt with places like {'{{customer}}'}, and people get a form for it.
          </EmptyList>
        )}
        {shortcuts.data && shortcuts.data.length > 0 && (
          <RowList label="Shortcuts">
            {shortcuts.data.map((shortcut) => (
              <Row
                key={shortcut.id}
                name={shortcut.name}
                about={[
                  shortcut.prompt,
                  shortcut.fields.length > 0 && count(shortcut.fields.length, 'field'),
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
        title="Jobs"
        about="Special tasks: each adds instructions to the agent’s own, and may leave it fewer tools. Shortcuts and API calls name them."
        action={
          <Button icon={Plus} onClick={() => setOpen({ kind: 'job', job: null })}>
            New job
          </Button>
        }
      >
        {jobs.data?.length === 0 && (
          <EmptyList>No job yet. “Summarize a contract” or “Check an invoice” are examples.</EmptyList>
        )}
        {jobs.data && jobs.data.length > 0 && (
          <RowList label="Jobs">
            {jobs.data.map((job) => (
              <Row
                key={job.id}
                name={job.name}
                about={[job.instructions, job.tools !== null && count(job.tools.length, 'tool')]}
                onEdit={() => setOpen({ kind: 'job', job })}
                onDelete={() => setOpen({ kind: 'delete-job', job })}
              />
            ))}
          </RowList>
        )}
      </PartSection>
      {open?.kind === 'job' && <JobForm agentId={agentId} job={open.job} tools={tools} onClose={close} />}
      {open?.kind === 'shortcut' && (
        <ShortcutForm agentId={agentId} shortcut={open.shortcut} jobs={jobs.data ?? []} onClose={close} />
      )}
      {open?.kind === 'delete-job' && (
        <ConfirmDialog
          title="Delete this job?"
          confirm="Delete"
          act={() => deleteJob(agentId, open.job.id)}
          onClose={close}
        >
          “{open.job.name}” is gone for good; shortcuts that name it stay, without a job.
        </ConfirmDialog>
      )}
      {open?.kind === 'delete-shortcut' && (
        <ConfirmDialog
          title="Delete this shortcut?"
          confirm="Delete"
          act={() => deleteShortcut(agentId, open.shortcut.id)}
          onClose={close}
        >
          “{open.shortcut.name}” is gone for good; answers that it got stay.
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
      <h3 className="truncate font-medium">{name}</h3>
      <p className="truncate text-sm text-muted">{about.filter(Boolean).join(' · ') || 'No instructions yet'}</p>
    </div>
    <IconButton label={`Change ${name}`} icon={Pencil} onClick={onEdit} />
    <IconButton label={`Delete ${name}`} icon={Trash2} onClick={onDelete} />
  </li>
)
