import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useWorkspaceId } from '../../access/access.ts'
import { formatExactTime } from '../../platform/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { Time } from '../../ui/data/time.tsx'
import { Eye, RotateCcw } from '../../ui/icons.ts'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { ConfirmDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { SettingSection } from '../setting-section.tsx'
import { rotateSecret, useWebhookSecret } from './webhooks.queries.ts'

/** Secret that signs the webhooks of this workspace. */
export function WebhookSecret() {
  const { data, error, isLoading, refetch } = useWebhookSecret()
  const workspaceId = useWorkspaceId()
  const [isShown, setShown] = useState(false)
  const [isRotating, setRotating] = useState(false)
  return (
    <SettingSection
      title={t`Signing secret`}
      isWaiting={isLoading}
      about={t`Every webhook is signed with it, following the Standard Webhooks specification, so that your receiver can verify where a request came from.`}
      actions={
        <Button icon={RotateCcw} onClick={() => setRotating(true)}>
          <Trans>Rotate</Trans>
        </Button>
      }
    >
      {error && <ReadProblem error={error} onRetry={refetch} />}
      {data && (
        <div className="rounded-card border border-line p-4">
          <div className="flex flex-wrap items-center gap-2">
            <code className="min-w-0 flex-1 basis-56 truncate font-mono text-sm">
              {isShown ? data.secret : `whsec_${'•'.repeat(24)}`}
            </code>
            <Button icon={Eye} aria-pressed={isShown} onClick={() => setShown(!isShown)}>
              {isShown ? t`Hide` : t`Show`}
            </Button>
            <CopyButton text={data.secret} />
          </div>
          <p className="mt-2 text-sm text-muted">
            <Trans>Made</Trans> <Time iso={data.created_at} />
          </p>
          {data.previous.map(({ created_at, expires_at }) => (
            <p key={created_at} className="mt-2 text-sm">
              <Trans>
                The secret before it signs along until <strong>{formatExactTime(expires_at)}</strong>.
              </Trans>
            </p>
          ))}
        </div>
      )}
      {isRotating && (
        <ConfirmDialog
          title={t`Make a new secret?`}
          confirm={t`Rotate`}
          act={async () => {
            await rotateSecret(workspaceId)
            setShown(true)
            toast(t`A new secret signs from now on. Give it to your receivers within 24 hours.`)
          }}
          onClose={() => setRotating(false)}
        >
          <Trans>
            For the next 24 hours every webhook carries two signatures, one with each secret, so nothing is refused
            while you give the new one to your receivers. After that the old one is gone.
          </Trans>
        </ConfirmDialog>
      )}
    </SettingSection>
  )
}
