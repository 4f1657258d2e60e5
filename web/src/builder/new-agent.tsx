import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMay } from '../access/access.ts'
import { createAgent } from '../agents/agents.ts'
import { explain } from '../platform/errors.ts'
import { Button } from '../ui/controls/button.tsx'
import { Lock } from '../ui/icons.ts'
import { PageHeader } from '../ui/layout/page-header.tsx'
import { Banner } from '../ui/notices/banner.tsx'
import { Notice } from '../ui/notices/notice.tsx'
import { BasicsPart } from './basics-part.tsx'
import { NEW_AGENT, toUpdate, useDraft } from './draft.ts'
import { KnowledgePart } from './knowledge-part.tsx'

/** Form for the fields that a new agent must have; the builder has the rest. */
export function NewAgent() {
  const navigate = useNavigate()
  const mayManage = useMay('manage_agents')
  const draft = useDraft(NEW_AGENT)
  const saving = useMutation({
    mutationFn: () => {
      // Without a list of tools, the server turns on those that read the folders.
      const { tools: _, ...fields } = toUpdate(draft)
      return createAgent({ ...fields, name: draft.fields.name.trim() })
    },
    onSuccess: ({ id }) => navigate({ to: '/agents/$agentId', params: { agentId: id } }),
  })
  return (
    <>
      <PageHeader title={t`New agent`} />
      {!mayManage && (
        <Banner icon={Lock}>
          <Trans>Your key may look at agents, not make them. Ask an admin of your workspace for that permission.</Trans>
        </Banner>
      )}
      <form
        className="min-h-0 flex-1 overflow-y-auto scroll-quiet"
        onSubmit={(event) => {
          event.preventDefault()
          saving.mutate()
        }}
      >
        <fieldset disabled={!mayManage} className="mx-auto max-w-2xl space-y-6 px-4 py-6 sm:px-6">
          <BasicsPart draft={draft} />
          <KnowledgePart draft={draft} />
        </fieldset>
        {mayManage && (
          <div className="sticky bottom-0 border-t border-line bg-paper">
            <div className="mx-auto flex max-w-2xl flex-wrap items-center justify-end gap-3 px-4 py-3 sm:px-6">
              {saving.error && <Notice className="w-full">{explain(saving.error)}</Notice>}
              <p className="me-auto text-sm text-muted">
                <Trans>Tools, shortcuts, limits and links come next.</Trans>
              </p>
              <Button variant="primary" type="submit" isBusy={saving.isPending}>
                <Trans>Create agent</Trans>
              </Button>
            </div>
          </div>
        )}
      </form>
    </>
  )
}
