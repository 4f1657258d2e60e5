import { Trans } from '@lingui/react/macro'
import { explain } from '../../platform/errors.ts'
import { Button } from '../controls/button.tsx'
import { Notice } from './notice.tsx'

interface ReadProblemProps {
  error: unknown
  onRetry: () => unknown
  className?: string
}

/** Error in place of what could not be read, with a button to read it again. */
export const ReadProblem = ({ error, onRetry, className }: ReadProblemProps) => (
  <Notice
    className={className}
    action={
      <Button onClick={() => onRetry()}>
        <Trans>Try again</Trans>
      </Button>
    }
  >
    {explain(error)}
  </Notice>
)
