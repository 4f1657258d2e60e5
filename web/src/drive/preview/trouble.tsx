import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Notice } from '../../ui/notices/notice.tsx'

/** The bytes did not come, or are not what they say. */
export const Trouble = ({ error, onRetry }: { error: unknown; onRetry?: () => void }) => (
  <div className="p-6">
    <Notice action={onRetry && <Button onClick={onRetry}>Try again</Button>}>
      {error instanceof UnreadableError ? error.message : explain(error)}
    </Notice>
  </div>
)

/** What a person can do about a file that a browser cannot show. */
export class UnreadableError extends Error {
  override name = 'UnreadableError'
}
