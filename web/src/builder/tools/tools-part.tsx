import { t } from '@lingui/core/macro'
import { later } from '../../ui/later.tsx'
import { Waiting } from '../../ui/layout/waiting.tsx'
import type { Draft } from '../draft.ts'
import { PartSection, RowList } from '../part-section.tsx'
import { Apis } from './apis/apis.tsx'
import { McpServers } from './mcp/mcp-servers.tsx'
import { SubAgents } from './sub-agents.tsx'
import { toggled } from './toggled.ts'
import { ToolRow } from './tool-row.tsx'
import { TOOL_WORDS } from './tool-words.ts'

const WebSearch = later(async () => (await import('./web-search/web-search.tsx')).WebSearch, Waiting)

interface ToolsPartProps {
  agentId: string
  draft: Draft
}

/** Tools of the agent, and which of them need approval. */
export function ToolsPart({ agentId, draft }: ToolsPartProps) {
  const { fields, change } = draft
  const names = [...new Set([...Object.keys(TOOL_WORDS), ...fields.tools])].filter((name) => name !== 'call_agent')
  return (
    <>
      <PartSection
        title={t`Built-in tools`}
        about={t`Tools that it may use to answer. A tool with “Ask first” runs only when a person allows that call.`}
      >
        <RowList label={t`Built-in tools`}>
          {names.map((name) => (
            <ToolRow
              key={name}
              title={TOOL_WORDS[name]?.title ?? name}
              about={TOOL_WORDS[name]?.about}
              isOn={fields.tools.includes(name)}
              onToggle={(isOn) => change({ tools: toggled(fields.tools, name, isOn) })}
              asksFirst={fields.tools_needing_approval.includes(name)}
              onAskFirst={
                TOOL_WORDS[name]?.isOwnQuestion
                  ? undefined
                  : (asks) => change({ tools_needing_approval: toggled(fields.tools_needing_approval, name, asks) })
              }
            />
          ))}
        </RowList>
      </PartSection>
      {fields.tools.includes('web_search') && <WebSearch />}
      <McpServers agentId={agentId} draft={draft} />
      <Apis agentId={agentId} draft={draft} />
      <SubAgents agentId={agentId} draft={draft} />
    </>
  )
}
