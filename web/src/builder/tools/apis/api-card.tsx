import type { ApiOperation, GivenOpenApiTools } from '@docent/sdk'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { explain } from '../../../platform/errors.ts'
import { cx } from '../../../ui/class-names.ts'
import { Button, IconButton, Spinner } from '../../../ui/controls/button.tsx'
import { Input } from '../../../ui/fields/field.tsx'
import { ChevronRight, Pencil, RefreshCw, Trash2 } from '../../../ui/icons.ts'
import { Badge } from '../../../ui/notices/badge.tsx'
import { useApiCheck } from '../../builder.queries.ts'
import { toggled } from '../toggled.ts'
import { ToolRow } from '../tool-row.tsx'

/** Number of operations from which on they can be searched. */
const MANY = 12

interface ApiCardProps {
  agentId: string
  api: GivenOpenApiTools
  approvals: string[]
  onChange: (operations: string[], approvals: string[]) => void
  onEdit: () => void
  onRemove: () => void
}

/** HTTP API with its operations, which are listed when the card is opened. */
export function ApiCard({ agentId, api, approvals, onChange, onEdit, onRemove }: ApiCardProps) {
  const [isOpen, setOpen] = useState(api.operations?.length === 0)
  const { data: check, error, isFetching, refetch } = useApiCheck(agentId, api, isOpen)
  const chosen = api.operations ?? []
  const operations = check?.operations ?? []

  function toggle({ id, tool_name, is_read_only }: ApiOperation, isOn: boolean) {
    // Operations that change something ask first, until the person says otherwise.
    const asks = isOn ? !is_read_only : false
    onChange(toggled(chosen, id, isOn), toggled(approvals, tool_name, asks))
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
            <span className="block font-medium">{api.name}</span>
            <span className="block truncate text-sm text-muted">
              {api.base_url ?? api.url ?? t`a document of its own`} ·{' '}
              {plural(chosen.length, { one: '# operation', other: '# operations' })}
            </span>
          </span>
        </button>
        <IconButton label={t`Change ${api.name}`} icon={Pencil} onClick={onEdit} />
        <IconButton label={t`Remove ${api.name}`} icon={Trash2} onClick={onRemove} />
      </div>
      {isOpen && (
        <div className="border-t border-line">
          <div className="flex flex-wrap items-center justify-between gap-2 px-3.5 py-2 text-sm" aria-live="polite">
            {isFetching ? (
              <span className="flex items-center gap-2 text-muted">
                <Spinner /> <Trans>Reading the document…</Trans>
              </span>
            ) : error ? (
              <span className="text-bad">{explain(error)}</span>
            ) : check?.is_readable ? (
              <span>
                <Badge tone="good">
                  <Trans>Readable</Trans>
                </Badge>{' '}
                <span className="text-muted">
                  {[check.title, check.version].filter(Boolean).join(' ')} ·{' '}
                  {plural(operations.length, { one: '# operation', other: '# operations' })}
                </span>
              </span>
            ) : (
              <span className="wrap-anywhere">
                <Badge tone="bad">
                  <Trans>Cannot be used</Trans>
                </Badge>{' '}
                {check?.error_message}
              </span>
            )}
            <Button icon={RefreshCw} disabled={isFetching} onClick={() => refetch()}>
              <Trans>Check again</Trans>
            </Button>
          </div>
          <Operations
            name={api.name}
            operations={operations}
            chosen={chosen}
            approvals={approvals}
            onToggle={toggle}
            onAskFirst={({ tool_name }, asks) => onChange(chosen, toggled(approvals, tool_name, asks))}
          />
        </div>
      )}
    </li>
  )
}

interface OperationsProps {
  name: string
  operations: ApiOperation[]
  chosen: string[]
  approvals: string[]
  onToggle: (operation: ApiOperation, isOn: boolean) => void
  onAskFirst: (operation: ApiOperation, asks: boolean) => void
}

function Operations({ name, operations, chosen, approvals, onToggle, onAskFirst }: OperationsProps) {
  const [search, setSearch] = useState('')
  const words = search.trim().toLowerCase()
  const found = operations.filter(({ id, method, path, summary }) =>
    `${id} ${method} ${path} ${summary}`.toLowerCase().includes(words),
  )
  if (operations.length === 0) return null
  return (
    <>
      {operations.length > MANY && (
        <div className="border-t border-line px-3.5 py-2">
          <Input
            type="search"
            aria-label={t`Search the operations of ${name}`}
            placeholder={t`Search its operations`}
            value={search}
            onChange={({ target }) => setSearch(target.value)}
          />
        </div>
      )}
      <ul
        aria-label={t`Operations of ${name}`}
        className="max-h-[28rem] divide-y divide-line overflow-y-auto border-t border-line"
      >
        {found.map((operation) => {
          const { id, method, path, summary, tool_name, problem } = operation
          const title = summary || id
          return problem && !chosen.includes(id) ? (
            <li key={id} className="px-3.5 py-2.5 text-sm text-muted">
              <span className="font-medium">{title}</span> · {problem}
            </li>
          ) : (
            <ToolRow
              key={id}
              title={title}
              about={
                <>
                  {operation.is_read_only && (
                    <Badge tone="quiet">
                      <Trans>only reads</Trans>
                    </Badge>
                  )}{' '}
                  {operation.is_deprecated && (
                    <Badge tone="bad">
                      <Trans>deprecated</Trans>
                    </Badge>
                  )}{' '}
                  <bdi className="font-mono">
                    {method} {path}
                  </bdi>{' '}
                  {operation.description}
                </>
              }
              isOn={chosen.includes(id)}
              onToggle={(isOn) => onToggle(operation, isOn)}
              asksFirst={approvals.includes(tool_name)}
              onAskFirst={(asks) => onAskFirst(operation, asks)}
            />
          )
        })}
      </ul>
    </>
  )
}
