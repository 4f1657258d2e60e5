import type { GivenOpenApiTools } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Button } from '../../../ui/controls/button.tsx'
import { Plus } from '../../../ui/icons.ts'
import { later } from '../../../ui/later.tsx'
import { Waiting } from '../../../ui/layout/waiting.tsx'
import type { Draft } from '../../draft.ts'
import { EmptyList, PartSection } from '../../part-section.tsx'

const ApiCard = later(async () => (await import('./api-card.tsx')).ApiCard, Waiting)
const ApiForm = later(async () => (await import('./api-form.tsx')).ApiForm)

interface ApisProps {
  agentId: string
  draft: Draft
}

/** HTTP APIs whose operations the agent may call. */
export function Apis({ agentId, draft }: ApisProps) {
  const { openapi_tools: apis, mcp_servers: servers, tools_needing_approval: approvals } = draft.fields
  /** API open in the form; 'new' to add one. */
  const [editing, setEditing] = useState<GivenOpenApiTools | 'new' | null>(null)

  function put(api: GivenOpenApiTools, before: GivenOpenApiTools | null, asks = approvals) {
    draft.change({
      openapi_tools: before ? apis.map((other) => (other === before ? api : other)) : [...apis, api],
      tools_needing_approval: asks,
    })
    setEditing(null)
  }

  return (
    <PartSection
      title={t`APIs`}
      about={t`Operations of services that describe themselves with an OpenAPI document: choose those that it may call.`}
      action={
        <Button icon={Plus} onClick={() => setEditing('new')}>
          <Trans>Add an API</Trans>
        </Button>
      }
    >
      {apis.length === 0 && (
        <EmptyList>
          <Trans>No API yet. Add one by its OpenAPI document, and choose among its operations.</Trans>
        </EmptyList>
      )}
      {apis.length > 0 && (
        <ul aria-label={t`APIs`} className="space-y-2.5">
          {apis.map((api) => (
            <ApiCard
              key={api.name}
              agentId={agentId}
              api={api}
              approvals={approvals}
              onChange={(operations, asks) => put({ ...api, operations }, api, asks)}
              onEdit={() => setEditing(api)}
              onRemove={() =>
                draft.change({
                  openapi_tools: apis.filter((other) => other !== api),
                  tools_needing_approval: approvals.filter((name) => !name.startsWith(`${api.name}__`)),
                })
              }
            />
          ))}
        </ul>
      )}
      {editing !== null && (
        <ApiForm
          api={editing === 'new' ? null : editing}
          taken={[...apis.filter((api) => api !== editing), ...servers].map(({ name }) => name)}
          onDone={(api) => {
            const before = editing === 'new' ? null : editing
            put(api, before, before ? renamed(approvals, before.name, api.name) : approvals)
          }}
          onClose={() => setEditing(null)}
        />
      )}
    </PartSection>
  )
}

/** The name of an API is the prefix of its tools' names. */
const renamed = (approvals: string[], before: string, after: string): string[] =>
  approvals.map((name) => (name.startsWith(`${before}__`) ? after + name.slice(before.length) : name))
