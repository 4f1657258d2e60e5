import type { Agent } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { UseDialog, UseLine, useAgentGrants, useIsForeign } from '../../agents/agents.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Users } from '../../ui/icons.ts'
import { Waiting } from '../../ui/layout/waiting.tsx'
import { PartSection } from '../part-section.tsx'

/** Line that says which members may use the agent, and the dialog in which that is changed. */
export function PeopleSection({ agent }: { agent: Agent }) {
  const { data: rights, isLoading } = useAgentGrants(agent.id)
  const isForeign = useIsForeign(agent)
  const [isOpen, setOpen] = useState(false)
  if (isLoading) return <Waiting />
  if (!rights || isForeign) return null
  return (
    <PartSection
      title={t`People of this workspace`}
      about={t`Members and groups who may use and change the agent. A change counts with their next request.`}
      action={
        <Button icon={Users} onClick={() => setOpen(true)}>
          <Trans>Who can use it</Trans>
        </Button>
      }
    >
      <UseLine rights={rights} />
      {isOpen && <UseDialog agent={agent} onClose={() => setOpen(false)} />}
    </PartSection>
  )
}
