import type { CreatedApiKey } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '../../ui/controls/button.tsx'
import { CopyBox } from '../../ui/controls/copy-button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'

/** New key, shown this one time. */
export function MadeKey({ apiKey, onClose }: { apiKey: CreatedApiKey; onClose: () => void }) {
  return (
    <Dialog title={t`“${apiKey.name}” is ready`} width="wide" onClose={onClose}>
      <p className="mb-3">
        <Trans>
          Copy the key now and keep it where secrets are kept: <strong>it is not shown again</strong>.
        </Trans>
      </p>
      <CopyBox label={t`The new API key`} text={apiKey.key} />
      <p className="mt-5 mb-2 text-sm text-muted">
        <Trans>To try it out:</Trans>
      </p>
      <CopyBox label={t`A request with the key`} text={`curl -H "x-api-key: ${apiKey.key}" ${location.origin}/v1/me`} />
      <div className="mt-5 flex justify-end">
        <Button variant="primary" onClick={onClose}>
          <Trans>I have saved it</Trans>
        </Button>
      </div>
    </Dialog>
  )
}
