import type { McpServer, McpTool } from '@docent/sdk'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { CheckField } from '../../../ui/fields/choice.tsx'
import { later } from '../../../ui/later.tsx'
import { Badge } from '../../../ui/notices/badge.tsx'
import { useMcpCheck } from '../../builder.queries.ts'
import { toggled } from '../toggled.ts'
import { ToolRow } from '../tool-row.tsx'
import { ToolSourceCard } from '../tool-source-card.tsx'

const McpLogin = later(async () => (await import('./mcp-login.tsx')).McpLogin)

interface McpServerCardProps {
  agentId: string
  server: McpServer
  approvals: string[]
  /** @param tools null for all */
  onChange: (tools: string[] | null) => void
  onApprovals: (approvals: string[]) => void
  onEdit: () => void
  onRemove: () => void
}

/** MCP server with its tools, which are fetched when the card is opened. */
export function McpServerCard({
  agentId,
  server,
  approvals,
  onChange,
  onApprovals,
  onEdit,
  onRemove,
}: McpServerCardProps) {
  const [isOpen, setOpen] = useState(false)
  const checking = useMcpCheck(agentId, server, isOpen)
  const { data: check } = checking
  const all = `${server.name}__*`
  const asksForAll = approvals.includes(all)
  const isOn = (tool: McpTool) => server.tools === null || server.tools.includes(tool.name)
  const tools = check?.tools ?? []

  function toggle(tool: McpTool, on: boolean) {
    const before = server.tools ?? tools.map(({ name }) => name)
    const after = toggled(before, tool.name, on)
    // With all tools chosen, tools that the server adds later are included, too.
    onChange(tools.every(({ name }) => after.includes(name)) ? null : after)
  }

  const count = (list: unknown[]) => plural(list.length, { one: '# tool', other: '# tools' })
  return (
    <ToolSourceCard
      name={server.name}
      about={`${server.url ?? t`program ${server.command ?? ''}`} · ${server.tools === null ? t`all tools` : count(server.tools)}`}
      isOpen={isOpen}
      onOpen={setOpen}
      onEdit={onEdit}
      onRemove={onRemove}
      check={checking}
      waiting={<Trans>Asking {server.name} for its tools…</Trans>}
      outcome={
        check && {
          isGood: check.is_reachable,
          label: check.is_reachable ? <Trans>Reachable</Trans> : <Trans>Cannot be reached</Trans>,
          details: check.is_reachable
            ? `${[check.server_name, check.server_version].filter(Boolean).join(' ')} · ${count(tools)}`
            : check.error_message,
        }
      }
    >
      {check && server.url && (check.wants_login || check.connection) && (
        <McpLogin agentId={agentId} url={server.url} check={check} />
      )}
      {tools.length > 0 && (
        <>
          <CheckField
            className="border-t border-line px-3.5 py-2.5"
            label={t`Ask first, whatever tool of this server it wants to use`}
            checked={asksForAll}
            onChange={({ target }) => onApprovals(toggled(approvals, all, target.checked))}
          />
          <ul aria-label={t`Tools of ${server.name}`} className="divide-y divide-line border-t border-line">
            {tools.map((tool) => (
              <ToolRow
                key={tool.name}
                title={tool.title ?? tool.name}
                about={
                  <>
                    {tool.is_destructive && !tool.is_read_only && (
                      <Badge tone="bad">
                        <Trans>may destroy</Trans>
                      </Badge>
                    )}{' '}
                    {tool.is_read_only && (
                      <Badge tone="quiet">
                        <Trans>only reads</Trans>
                      </Badge>
                    )}{' '}
                    {tool.description}
                  </>
                }
                isOn={isOn(tool)}
                onToggle={(on) => toggle(tool, on)}
                asksFirst={asksForAll || approvals.includes(tool.tool_name)}
                isAskFixed={asksForAll}
                onAskFirst={(asks) => onApprovals(toggled(approvals, tool.tool_name, asks))}
              />
            ))}
          </ul>
        </>
      )}
    </ToolSourceCard>
  )
}
