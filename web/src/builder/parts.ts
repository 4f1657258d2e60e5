import { t } from '@lingui/core/macro'
import type { FieldName } from './draft.ts'

/** Parts of the builder, in order. */
export const PARTS = ['basics', 'knowledge', 'tools', 'actions', 'limits', 'sharing'] as const
export type Part = (typeof PARTS)[number]

/** Names of the parts. */
export const partNames = (): Record<Part, string> => ({
  basics: t`Basics`,
  knowledge: t`Knowledge`,
  tools: t`Tools`,
  actions: t`Actions`,
  limits: t`Limits`,
  sharing: t`Sharing`,
})

/** Part in which each field is edited. */
export const FIELD_PARTS: Record<FieldName, Part> = {
  name: 'basics',
  description: 'basics',
  instructions: 'basics',
  model: 'basics',
  knowledge_base_ids: 'knowledge',
  filters: 'knowledge',
  tools: 'tools',
  tools_needing_approval: 'tools',
  mcp_servers: 'tools',
  openapi_tools: 'tools',
  sub_agent_ids: 'tools',
  limits: 'limits',
  visibility: 'sharing',
}

/** Chats beside the builder; on narrow screens they take its place. */
export const SIDES = ['try', 'configure'] as const
export type Side = (typeof SIDES)[number]

/** Names of the sides. */
export const sideNames = (): Record<Side, string> => ({ try: t`Try it`, configure: t`Set up by talking` })

export interface BuilderSearch {
  part?: Part
  side?: Side
  /** Half to show on narrow screens; default: the part. */
  shows?: 'side' | 'part'
}

/** Reads the builder's search parameters; unknown values are dropped. */
export const builderSearch = ({ part, side, shows }: Record<string, unknown>): BuilderSearch => ({
  ...(PARTS.includes(part as Part) && { part: part as Part }),
  ...(SIDES.includes(side as Side) && { side: side as Side }),
  ...(shows === 'side' && { shows }),
})
