import type { Job } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { CheckField } from '../../ui/fields/choice.tsx'
import { Field, Input, Textarea } from '../../ui/fields/field.tsx'
import { FormDialog } from '../../ui/overlays/form-dialog.tsx'
import { saveJob } from '../builder.queries.ts'
import { FilterFields } from '../filters/filter-fields.tsx'
import { toggled } from '../tools/toggled.ts'
import { toolTitle } from '../tools/tool-words.ts'

interface JobFormProps {
  agentId: string
  /** Job to edit; null to create one. */
  job: Job | null
  /** Names of the agent's tools, sub-agents and MCP servers. */
  tools: string[]
  /** Folders of the agent. */
  folderIds: string[]
  onClose: () => void
}

export function JobForm({ agentId, job, tools: agentTools, folderIds, onClose }: JobFormProps) {
  const [name, setName] = useState(job?.name ?? '')
  const [instructions, setInstructions] = useState(job?.instructions ?? '')
  const [tools, setTools] = useState(job?.tools ?? null)
  const [filters, setFilters] = useState(job?.filters ?? null)
  const saving = useMutation({
    mutationFn: () => saveJob(agentId, job?.id ?? null, { name: name.trim(), instructions, tools, filters }),
    onSuccess: onClose,
  })
  const offered = [...new Set([...agentTools, ...(tools ?? [])])]
  return (
    <FormDialog
      title={job ? t`Change the job` : t`New job`}
      width="wide"
      onClose={onClose}
      saving={saving}
      save={job ? t`Save` : t`Create job`}
      onSave={() => saving.mutate()}
    >
      <Field label={t`Name`}>
        {(control) => (
          <Input
            {...control}
            autoFocus
            required
            maxLength={256}
            placeholder={t`Summarize a contract`}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <Field label={t`Instructions`} hint={t`Added to the agent’s own while it works on this job.`}>
        {(control) => (
          <Textarea
            {...control}
            rows={5}
            maxLength={100_000}
            value={instructions}
            onChange={({ target }) => setInstructions(target.value)}
          />
        )}
      </Field>
      <fieldset className="space-y-2">
        <legend className="mb-1.5 font-medium">
          <Trans>Tools</Trans>
        </legend>
        <CheckField
          label={t`All of the agent’s tools`}
          checked={tools === null}
          onChange={({ target }) => setTools(target.checked ? null : agentTools)}
        />
        {tools !== null && (
          <div className="ms-6.5 space-y-1.5">
            {offered.length === 0 && (
              <p className="text-sm text-muted">
                <Trans>The agent has no tools.</Trans>
              </p>
            )}
            {offered.map((tool) => (
              <CheckField
                key={tool}
                label={toolTitle(tool)}
                checked={tools.includes(tool)}
                onChange={({ target }) => setTools(toggled(tools, tool, target.checked))}
              />
            ))}
          </div>
        )}
      </fieldset>
      <fieldset>
        <legend className="mb-1.5 font-medium">
          <Trans>Only some files</Trans>
        </legend>
        <p className="mb-2 text-sm text-muted text-pretty">
          <Trans>
            Conditions on the metadata of files, which narrow what the agent reads while it works on the job.
          </Trans>
        </p>
        <FilterFields filter={filters} folderIds={folderIds} onChange={setFilters} />
      </fieldset>
    </FormDialog>
  )
}
