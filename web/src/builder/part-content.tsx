import type { Agent } from '@docent/sdk'
import { ActionsPart } from './actions/actions-part.tsx'
import { BasicsPart } from './basics-part.tsx'
import type { AgentFields, Draft } from './draft.ts'
import { FilterPart } from './filters/filter-part.tsx'
import { KnowledgePart } from './knowledge-part.tsx'
import { LimitsPart } from './limits-part.tsx'
import type { Part } from './parts.ts'
import { SharingPart } from './sharing/sharing-part.tsx'
import { ToolsPart } from './tools/tools-part.tsx'

interface PartContentProps {
  part: Part
  agent: Agent
  draft: Draft
}

export function PartContent({ part, agent, draft }: PartContentProps) {
  switch (part) {
    case 'basics':
      return <BasicsPart draft={draft} />
    case 'knowledge':
      return (
        <>
          <KnowledgePart draft={draft} />
          <FilterPart draft={draft} />
        </>
      )
    case 'tools':
      return <ToolsPart agentId={agent.id} draft={draft} />
    case 'actions':
      return <ActionsPart agentId={agent.id} tools={listReferences(agent)} folderIds={agent.knowledge_base_ids} />
    case 'limits':
      return <LimitsPart draft={draft} />
    case 'sharing':
      return <SharingPart agent={agent} draft={draft} />
  }
}

/** Tools, sub-agents, MCP servers and APIs that a job may name. */
const listReferences = ({ tools, sub_agent_ids, mcp_servers, openapi_tools }: AgentFields): string[] => [
  ...tools.filter((name) => name !== 'call_agent'),
  ...(sub_agent_ids.length > 0 ? ['call_agent'] : []),
  ...[...mcp_servers, ...openapi_tools].map(({ name }) => `${name}__*`),
]
