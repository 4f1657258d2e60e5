import { Trans } from '@lingui/react/macro'
import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Notice } from '../../ui/notices/notice.tsx'

/** Shown when the bytes did not arrive, or are not in the expected format. */
export const PreviewError = ({ error, onRetry }: { error: unknown; onRetry?: () => void }) => (
  <div className="p-6">
    <Notice
      action={
        onRetry && (
          <Button onClick={onRetry}>
            <Trans>Try again</Trans>
          </Button>
        )
      }
    >
      {error instanceof UnreadableError ? error.message : explain(error)}
    </Notice>
  </div>
)

/** Options for a file that the browser cannot show. */
export class UnreadableError extends Error {
  override name = 'UnreadableError'
}
