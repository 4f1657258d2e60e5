import type { WebhookEndpointWithSecret } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { formatExactTime } from '../../../platform/format.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { CopyBox } from '../../../ui/controls/copy-button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'

/** New secret of an endpoint, shown this one time. */
export function MadeSecret({ endpoint, onClose }: { endpoint: WebhookEndpointWithSecret; onClose: () => void }) {
  const { secret, url, old_secret_until: until } = endpoint
  return (
    <Dialog title={t`Signing secret`} width="wide" onClose={onClose}>
      <p className="mb-3">
        <Trans>
          Give it to the receiver at <span dir="ltr">{url}</span>, which checks the signatures with it:{' '}
          <strong>it is not shown again</strong>.
        </Trans>
      </p>
      <CopyBox label={t`Signing secret`} text={secret} />
      {until && (
        <p className="mt-3 text-sm text-muted">
          <Trans>
            The secret before it signs along until <strong>{formatExactTime(until)}</strong>.
          </Trans>
        </p>
      )}
      <div className="mt-5 flex justify-end">
        <Button variant="primary" onClick={onClose}>
          <Trans>I have saved it</Trans>
        </Button>
      </div>
    </Dialog>
  )
}
