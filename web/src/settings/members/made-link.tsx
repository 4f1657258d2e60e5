import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { formatDue } from '../../platform/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CopyBox } from '../../ui/controls/copy-button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'

interface MadeLinkProps {
  title: string
  /** Sentence that says what the link does. */
  about: string
  url: string
  expiresAt: string
  onClose: () => void
}

/** New link, shown this one time. */
export const MadeLink = ({ title, about, url, expiresAt, onClose }: MadeLinkProps) => (
  <Dialog title={title} width="wide" onClose={onClose}>
    <p className="mb-3">
      <Trans>
        {about} It works once and ends {formatDue(expiresAt)}. Copy it now: <strong>it is not shown again</strong>.
      </Trans>
    </p>
    <CopyBox label={t`The link`} text={url} />
    <div className="mt-5 flex justify-end">
      <Button variant="primary" onClick={onClose}>
        <Trans>Done</Trans>
      </Button>
    </div>
  </Dialog>
)
