import { Trans } from '@lingui/react/macro'
import { Button } from '../../../ui/controls/button.tsx'
import { ReadProblem } from '../../../ui/notices/read-problem.tsx'
import type { useTurns } from './use-turns.ts'

/** Top of a chat: the error if its history could not be read, and a button that loads earlier questions. */
export const EarlierTurns = ({ history }: Pick<ReturnType<typeof useTurns>, 'history'>) => (
  <>
    {history.error && <ReadProblem error={history.error} onRetry={history.refetch} />}
    {history.hasNextPage && (
      <Button isBusy={history.isFetchingNextPage} onClick={() => history.fetchNextPage()}>
        <Trans>Show earlier questions</Trans>
      </Button>
    )}
  </>
)
