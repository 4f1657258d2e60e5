import type { KnowledgeBase } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { MessageSquare } from '../../ui/icons.ts'
import { toast } from '../../ui/overlays/toasts.tsx'
import { agentOfFolder } from './ask-folder.ts'

/** Button that opens a chat about a folder, with an agent that answers from it alone. */
export function AskButton({ folder }: { folder: KnowledgeBase }) {
  const navigate = useNavigate()
  const asking = useMutation({
    mutationFn: () => agentOfFolder(folder),
    onSuccess: (agentId) => navigate({ to: '/chat/$agentId', params: { agentId } }),
    onError: (error) => toast(explain(error), { isError: true }),
  })
  return (
    <Button
      icon={MessageSquare}
      title={t`Ask about this folder`}
      isBusy={asking.isPending}
      onClick={() => asking.mutate()}
    >
      <span className="max-lg:sr-only">
        <Trans>Ask about this</Trans>
      </span>
    </Button>
  )
}
