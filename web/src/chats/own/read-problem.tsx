import { Trans } from '@lingui/react/macro'
import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Notice } from '../../ui/notices/notice.tsx'

/** Error in place of a list. */
export const ReadProblem = ({ error, onRetry }: { error: unknown; onRetry: () => unknown }) => (
  <Notice
    action={
      <Button onClick={onRetry}>
        <Trans>Try again</Trans>
      </Button>
    }
  >
    {explain(error)}
  </Notice>
)
