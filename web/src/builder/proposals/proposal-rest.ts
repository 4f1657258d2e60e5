import type { CreateJob, CreateShortcut, Job, Shortcut } from '@docent/sdk'
import type { Proposal } from './proposal.ts'

/**
 * Jobs and shortcuts of a proposal that the agent does not have yet. Equal content counts as the same one, so that a
 * retry after a lost connection creates no duplicates.
 */
export function findMissing(
  proposal: Proposal,
  jobs: Job[],
  shortcuts: Shortcut[],
): Pick<Proposal, 'jobs' | 'shortcuts'> {
  return {
    jobs: without(proposal.jobs, jobs, jobContent),
    shortcuts: without(proposal.shortcuts, shortcuts, shortcutContent),
  }
}

function without<T>(wanted: T[], present: T[], getContent: (one: T) => unknown[]): T[] {
  const known = new Set(present.map((one) => JSON.stringify(getContent(one))))
  return wanted.filter((one) => !known.has(JSON.stringify(getContent(one))))
}

const jobContent = ({ name, instructions = '', tools }: CreateJob): unknown[] => [name, instructions, tools ?? null]

const shortcutContent = ({ name, prompt, fields = [] }: Omit<CreateShortcut, 'job_id'>): unknown[] => [
  name,
  prompt,
  fields.map(({ name, type = 'text', required = false, options = [] }) => [name, type, required, options]),
]
