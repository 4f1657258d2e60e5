import type { ApiOperation, GivenOpenApiTools } from '@docent/sdk'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Input } from '../../../ui/fields/field.tsx'
import { Badge } from '../../../ui/notices/badge.tsx'
import { useApiCheck } from '../../builder.queries.ts'
import { toggled } from '../toggled.ts'
import { ToolRow } from '../tool-row.tsx'
import { ToolSourceCard } from '../tool-source-card.tsx'

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
  const checking = useApiCheck(agentId, api, isOpen)
  const { data: check } = checking
  const chosen = api.operations ?? []
  const operations = check?.operations ?? []

  function toggle({ id, tool_name, is_read_only }: ApiOperation, isOn: boolean) {
    // Operations that change something ask first, until the person says otherwise.
    const asks = isOn ? !is_read_only : false
    onChange(toggled(chosen, id, isOn), toggled(approvals, tool_name, asks))
  }

  const count = (list: unknown[]) => plural(list.length, { one: '# operation', other: '# operations' })
  return (
    <ToolSourceCard
      name={api.name}
      about={`${api.base_url ?? api.url ?? t`a document of its own`} · ${count(chosen)}`}
      isOpen={isOpen}
      onOpen={setOpen}
      onEdit={onEdit}
      onRemove={onRemove}
      check={checking}
      waiting={<Trans>Reading the document…</Trans>}
      outcome={
        check && {
          isGood: check.is_readable,
          label: check.is_readable ? <Trans>Readable</Trans> : <Trans>Cannot be used</Trans>,
          details: check.is_readable
            ? `${[check.title, check.version].filter(Boolean).join(' ')} · ${count(operations)}`
            : check.error_message,
        }
      }
    >
      <Operations
        name={api.name}
        operations={operations}
        chosen={chosen}
        approvals={approvals}
        onToggle={toggle}
        onAskFirst={({ tool_name }, asks) => onChange(chosen, toggled(approvals, tool_name, asks))}
      />
    </ToolSourceCard>
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
