import type { McpServer, McpTool } from '@docent/sdk'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { explain } from '../../../platform/errors.ts'
import { cx } from '../../../ui/class-names.ts'
import { Button, IconButton, Spinner } from '../../../ui/controls/button.tsx'
import { CheckField } from '../../../ui/fields/choice.tsx'
import { ChevronRight, Pencil, RefreshCw, Trash2 } from '../../../ui/icons.ts'
import { later } from '../../../ui/later.tsx'
import { Badge } from '../../../ui/notices/badge.tsx'
import { useMcpCheck } from '../../builder.queries.ts'
import { toggled } from '../toggled.ts'
import { ToolRow } from '../tool-row.tsx'

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
  const { data: check, error, isFetching, refetch } = useMcpCheck(agentId, server, isOpen)
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

  return (
    <li className="rounded-card border border-line">
      <div className="flex items-center gap-1 py-2 pe-2 ps-1.5">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="flex min-w-0 flex-1 items-center gap-2 rounded-control px-1.5 py-1 text-start hover:bg-hover"
        >
          <ChevronRight
            size={15}
            className={cx('shrink-0 text-muted transition-transform', isOpen && 'rotate-90')}
            aria-hidden
          />
          <span className="min-w-0">
            <span className="block font-medium">{server.name}</span>
            <span className="block truncate text-sm text-muted">
              {server.url ?? t`program ${server.command ?? ''}`} ·{' '}
              {server.tools === null ? t`all tools` : plural(server.tools.length, { one: '# tool', other: '# tools' })}
            </span>
          </span>
        </button>
        <IconButton label={t`Change ${server.name}`} icon={Pencil} onClick={onEdit} />
        <IconButton label={t`Remove ${server.name}`} icon={Trash2} onClick={onRemove} />
      </div>
      {isOpen && (
        <div className="border-t border-line">
          <div className="flex flex-wrap items-center justify-between gap-2 px-3.5 py-2 text-sm" aria-live="polite">
            {isFetching ? (
              <span className="flex items-center gap-2 text-muted">
                <Spinner /> <Trans>Asking {server.name} for its tools…</Trans>
              </span>
            ) : error ? (
              <span className="text-bad">{explain(error)}</span>
            ) : check?.is_reachable ? (
              <span>
                <Badge tone="good">
                  <Trans>Reachable</Trans>
                </Badge>{' '}
                <span className="text-muted">
                  {[check.server_name, check.server_version].filter(Boolean).join(' ')} ·{' '}
                  {plural(tools.length, { one: '# tool', other: '# tools' })}
                </span>
              </span>
            ) : (
              <span className="wrap-anywhere">
                <Badge tone="bad">
                  <Trans>Cannot be reached</Trans>
                </Badge>{' '}
                {check?.error_message}
              </span>
            )}
            <Button icon={RefreshCw} disabled={isFetching} onClick={() => refetch()}>
              <Trans>Check again</Trans>
            </Button>
          </div>
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
        </div>
      )}
    </li>
  )
}
