import type { Agent } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQueries } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useAgents } from '../../agents/agents.ts'
import { folderById } from '../../drive/drive.ts'
import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Check } from '../../ui/icons.ts'
import { Badge } from '../../ui/notices/badge.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { useJobs, useShortcuts } from '../builder.queries.ts'
import { applyProposal } from './apply-proposal.ts'
import { setOutcome, useOutcome } from './outcomes.ts'
import type { Proposal } from './proposal.ts'
import { changesIn, type FieldChange } from './proposal-changes.ts'
import { findMissing } from './proposal-rest.ts'

interface ProposalCardProps {
  /** Key under which the proposal's outcome is stored. */
  id: string
  agent: Agent
  proposal: Proposal
  /** Reason why it cannot be applied now. */
  lockReason: string | null
}

/** Card with the changes of a proposal, old and new, to apply or dismiss. */
export function ProposalCard({ id, agent, proposal, lockReason }: ProposalCardProps) {
  const outcome = useOutcome(id)
  const getName = useNames(proposal)
  const applying = useMutation({
    mutationFn: () => applyProposal(agent, proposal),
    onSuccess() {
      setOutcome(id, 'applied')
      toast(t`Applied`)
    },
  })
  const changes = changesIn(agent, proposal.changes, getName)
  const { data: haveJobs = [] } = useJobs(agent.id)
  const { data: haveShortcuts = [] } = useShortcuts(agent.id)
  const { jobs, shortcuts } = findMissing(proposal, haveJobs, haveShortcuts)
  return (
    <section aria-label={t`Proposed changes`} className="rounded-card border border-line-strong/60">
      <div className="px-4 py-3">
        <h3 className="font-semibold">
          <Trans>Proposed changes</Trans>
        </h3>
        <p className="mt-0.5 text-sm text-muted wrap-anywhere">{proposal.summary}</p>
      </div>
      {outcome === undefined && (
        <dl className="divide-y divide-line border-t border-line">
          {changes.map((change) => (
            <Changed key={change.label} {...change} />
          ))}
          {jobs.map((job, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: proposals do not change.
            <Made key={index} label={t`New job`} name={job.name}>
              {job.instructions}
            </Made>
          ))}
          {shortcuts.map((shortcut, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: proposals do not change.
            <Made key={index} label={t`New shortcut`} name={shortcut.name}>
              {shortcut.prompt}
            </Made>
          ))}
          {changes.length + jobs.length + shortcuts.length === 0 && (
            <p className="px-4 py-3 text-sm text-muted">
              <Trans>The agent already has these settings.</Trans>
            </p>
          )}
        </dl>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-2.5">
        {outcome ? (
          <p className="me-auto">
            <Badge tone={outcome === 'applied' ? 'good' : 'quiet'}>
              {outcome === 'applied' ? t`Applied` : t`Dismissed`}
            </Badge>
          </p>
        ) : (
          <>
            {applying.error && (
              <Notice className="w-full">
                <Trans>
                  {explain(applying.error)} What is listed here is still to be done; what was done is not done twice.
                </Trans>
              </Notice>
            )}
            {lockReason && <p className="min-w-48 flex-1 text-sm text-muted">{lockReason}</p>}
            <Button disabled={applying.isPending} onClick={() => setOutcome(id, 'dismissed')}>
              <Trans>Dismiss</Trans>
            </Button>
            <Button
              variant="primary"
              icon={Check}
              isBusy={applying.isPending}
              disabled={lockReason !== null}
              onClick={() => applying.mutate()}
            >
              <Trans>Apply</Trans>
            </Button>
          </>
        )}
      </div>
    </section>
  )
}

const Changed = ({ label, before, after }: FieldChange) => (
  <div className="px-4 py-2.5">
    <dt className="mb-1 text-sm font-medium">{label}</dt>
    <dd className="space-y-1 text-sm">
      {before.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines may be alike, and do not change.
        <Line key={`old ${index}`} mark="−" word={t`Old`} className="bg-bad-soft">
          {line}
        </Line>
      ))}
      {after.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines may be alike, and do not change.
        <Line key={`new ${index}`} mark="+" word={t`New`} className="bg-accent-soft">
          {line}
        </Line>
      ))}
    </dd>
  </div>
)

interface LineProps {
  mark: string
  word: string
  className: string
  children: ReactNode
}

const Line = ({ mark, word, className, children }: LineProps) => (
  <p className={`flex gap-2 rounded-[0.35rem] px-2 py-0.5 wrap-anywhere whitespace-pre-wrap ${className}`}>
    <span aria-hidden className="shrink-0 select-none">
      {mark}
    </span>
    <span className="sr-only">{word}: </span>
    <span className="min-w-0">{children}</span>
  </p>
)

const Made = ({ label, name, children }: { label: string; name: string; children: ReactNode }) => (
  <div className="px-4 py-2.5">
    <dt className="mb-1 text-sm font-medium">{label}</dt>
    <dd className="text-sm">
      <Line mark="+" word={t`New`} className="bg-accent-soft">
        <strong>{name}</strong>
        {children && <>: {children}</>}
      </Line>
    </dd>
  </div>
)

/** Names of folders and agents. */
function useNames({ changes }: Proposal): (id: string) => string {
  const ids = changes.knowledge_base_ids ?? []
  const folders = useQueries({ queries: ids.map((id) => folderById(id)) })
  const { data: agents = [] } = useAgents()
  return (id) => agents.find((agent) => agent.id === id)?.name ?? folders[ids.indexOf(id)]?.data?.name ?? id
}
