import { Trans } from '@lingui/react/macro'
import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import type { useTurns } from './use-turns.ts'

/** Top of a chat: the error if its history could not be read, and a button that loads earlier questions. */
export const EarlierTurns = ({ history }: Pick<ReturnType<typeof useTurns>, 'history'>) => (
  <>
    {history.error && (
      <Notice
        action={
          <Button onClick={() => history.refetch()}>
            <Trans>Try again</Trans>
          </Button>
        }
      >
        {explain(history.error)}
      </Notice>
    )}
    {history.hasNextPage && (
      <Button isBusy={history.isFetchingNextPage} onClick={() => history.fetchNextPage()}>
        <Trans>Show earlier questions</Trans>
      </Button>
    )}
  </>
)
