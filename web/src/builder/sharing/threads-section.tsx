import { useState } from 'react'
import { namesOfReaders, saveThreadsAccess, useThreadsAccess } from '../../agents/agents.ts'
import { explain } from '../../platform/errors.ts'
import { toast } from '../../ui/overlays/toasts.tsx'
import { PartSection } from '../part-section.tsx'

/** Choice whether others read the chats that people have with the agent. */
export function ThreadsSection({ agentId }: { agentId: string }) {
  const { data: access } = useThreadsAccess(agentId)
  const [isSaving, setSaving] = useState(false)
  if (!access) return null
  const others = namesOfReaders({ ...access, admins: false })

  async function letAdmins(admins: boolean) {
    setSaving(true)
    const [member_ids, group_ids] = [access!.members, access!.groups].map((list) => list.map(({ id }) => id))
    await saveThreadsAccess(agentId, { admins, member_ids, group_ids })
      .catch((error) => toast(explain(error), { isError: true }))
      .finally(() => setSaving(false))
  }

  return (
    <PartSection
      title="Who reads the chats"
      about={`A chat is private to the person who began it. People who are allowed to read see the chats that begin from then on, and the chat page says so. ${
        access.owner ? `It is up to ${access.owner.name}, who made the agent.` : 'It is up to the admins.'
      }`}
    >
      <label className="flex items-center gap-2.5">
        <input
          type="checkbox"
          checked={access.admins}
          disabled={!access.can_change || isSaving}
          onChange={(event) => letAdmins(event.target.checked)}
          className="size-4 shrink-0 accent-accent"
        />
        Admins and owners of the workspace
      </label>
      {others && <p className="mt-2 text-sm text-muted">Also {others}.</p>}
    </PartSection>
  )
}
