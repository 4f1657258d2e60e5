import type { McpServer } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { hasLoginQuery } from '../../../platform/login-query.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Plus } from '../../../ui/icons.ts'
import { later } from '../../../ui/later.tsx'
import type { Draft } from '../../draft.ts'
import { EmptyList, PartSection } from '../../part-section.tsx'
import { McpServerCard } from './mcp-server-card.tsx'
import { McpServerForm } from './mcp-server-form.tsx'

const McpReturn = later(async () => (await import('./mcp-return.tsx')).McpReturn)

interface McpServersProps {
  agentId: string
  draft: Draft
}

/** MCP servers of the agent. */
export function McpServers({ agentId, draft }: McpServersProps) {
  const { mcp_servers: servers, openapi_tools: apis, tools_needing_approval: approvals } = draft.fields
  /** Server open in the form; 'new' to add one. */
  const [editing, setEditing] = useState<McpServer | 'new' | null>(null)

  function put(server: McpServer, before: McpServer | null) {
    draft.change({
      mcp_servers: before ? servers.map((other) => (other === before ? server : other)) : [...servers, server],
      ...(before && before.name !== server.name && { tools_needing_approval: renamed(approvals, before, server) }),
    })
    setEditing(null)
  }

  const [isBack] = useState(hasLoginQuery)
  return (
    <PartSection
      title={t`MCP servers`}
      about={t`Tools of other programs: tickets, calendars, databases. Anything that speaks the Model Context Protocol.`}
      action={
        <Button icon={Plus} onClick={() => setEditing('new')}>
          <Trans>Add a server</Trans>
        </Button>
      }
    >
      {isBack && <McpReturn agentId={agentId} />}
      {servers.length === 0 && (
        <EmptyList>
          <Trans>No server yet. Add one by its address, and choose among its tools.</Trans>
        </EmptyList>
      )}
      {servers.length > 0 && (
        <ul aria-label={t`MCP servers`} className="space-y-2.5">
          {servers.map((server) => (
            <McpServerCard
              key={server.name}
              agentId={agentId}
              server={server}
              approvals={approvals}
              onChange={(tools) => put({ ...server, tools }, server)}
              onApprovals={(tools_needing_approval) => draft.change({ tools_needing_approval })}
              onEdit={() => setEditing(server)}
              onRemove={() =>
                draft.change({
                  mcp_servers: servers.filter((other) => other !== server),
                  tools_needing_approval: approvals.filter((name) => !name.startsWith(`${server.name}__`)),
                })
              }
            />
          ))}
        </ul>
      )}
      {editing !== null && (
        <McpServerForm
          server={editing === 'new' ? null : editing}
          taken={[...servers.filter((server) => server !== editing), ...apis].map(({ name }) => name)}
          onDone={(server) => put(server, editing === 'new' ? null : editing)}
          onClose={() => setEditing(null)}
        />
      )}
    </PartSection>
  )
}

/** A server's name is the prefix of its tools' names. */
const renamed = (approvals: string[], before: McpServer, after: McpServer): string[] =>
  approvals.map((name) => (name.startsWith(`${before.name}__`) ? after.name + name.slice(before.name.length) : name))
