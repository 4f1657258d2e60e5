import type { Agent } from '@docent/sdk'
import type { Side } from '../parts.ts'
import { Configuration } from './configuration.tsx'
import { Playground } from './playground.tsx'

interface SideContentProps {
  side: Side
  agent: Agent
  isUnsaved: boolean
  /** Reason why the agent cannot be changed. */
  lockReason: string | null
}

export function SideContent({ side, agent, isUnsaved, lockReason }: SideContentProps) {
  if (side === 'try') return <Playground agent={agent} isUnsaved={isUnsaved} />
  if (lockReason) return <p className="p-6 text-muted">{lockReason}</p>
  return <Configuration agent={agent} isUnsaved={isUnsaved} />
}
