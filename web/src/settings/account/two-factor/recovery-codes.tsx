import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button } from '../../../ui/controls/button.tsx'
import { CopyBox } from '../../../ui/controls/copy-button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'

/** Recovery codes that were just made, shown this one time. */
export const RecoveryCodes = ({ codes, onClose }: { codes: string[]; onClose: () => void }) => (
  <Dialog title={t`Save your recovery codes`} onClose={onClose}>
    <p className="mb-3 text-pretty">
      <Trans>
        Each signs you in once in place of a code of the app, should you lose it. Keep them where you keep passwords:{' '}
        <strong>they are not shown again</strong>.
      </Trans>
    </p>
    <CopyBox label={t`Recovery codes`} text={codes.join('\n')} />
    <div className="mt-5 flex justify-end">
      <Button variant="primary" onClick={onClose}>
        <Trans>I have saved them</Trans>
      </Button>
    </div>
  </Dialog>
)
