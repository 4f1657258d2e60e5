import type { Agent } from '@docent/sdk'
import { useMay } from '../access/access.queries.ts'
import { Configuration } from './configuration.tsx'
import type { Side } from './parts.ts'
import { Playground } from './playground.tsx'

interface SideContentProps {
  side: Side
  agent: Agent
  isUnsaved: boolean
}

export function SideContent({ side, agent, isUnsaved }: SideContentProps) {
  const mayManage = useMay('manage_agents')
  if (side === 'try') return <Playground agent={agent} isUnsaved={isUnsaved} />
  if (!mayManage) return <p className="p-6 text-muted">Your key may look at agents, not change them.</p>
  return <Configuration agent={agent} isUnsaved={isUnsaved} />
}
