import { t } from '@lingui/core/macro'
import { namesOfReaders, readersOf, useThreadReaders } from '../../agents/agents.ts'

/** Tells a person who else reads what they write here. */
export function ReadersNote({ agentId }: { agentId: string }) {
  const { data: access } = useThreadReaders(agentId)
  if (!access) return null
  const readers = namesOfReaders(readersOf(access))
  return (
    <p className="mt-1.5 text-center text-xs text-muted">
      {readers ? t`Your chats here may also be read by ${readers}.` : t`Your chats here are private to you.`}
    </p>
  )
}
