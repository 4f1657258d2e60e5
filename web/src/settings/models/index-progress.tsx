import type { SearchIndex } from '@docent/sdk'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useMe, useWorkspaceId } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { formatNumber } from '../../platform/format.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { ProgressBar } from '../../ui/notices/progress-bar.tsx'
import { cancelSearchIndex, chooseSearchIndex } from './models.queries.ts'

interface IndexProgressProps {
  building: NonNullable<SearchIndex['building']>
  name: ReactNode
}

/** How far the next index is, why it does not continue, and a way to end it. */
export function IndexProgress({ building, name }: IndexProgressProps) {
  const { source, model, state, files_done, files_total, passages_done, error_message } = building
  const workspaceId = useWorkspaceId()
  const isNarrowed = useMe().data?.key.scopes != null
  const cancelling = useMutation({ mutationFn: () => cancelSearchIndex(workspaceId) })
  const again = useMutation({
    mutationFn: () => chooseSearchIndex(workspaceId, { source, model: source === 'workspace' ? model : null }),
  })
  const isFailed = state === 'failed'
  const error = cancelling.error ?? again.error
  const done = formatNumber(files_done)
  const total = formatNumber(files_total ?? 0)
  return (
    <div className="space-y-3 rounded-card border border-line p-4">
      <p className="font-medium">
        {isFailed ? <Trans>The next index is not being built:</Trans> : <Trans>The next index is being built:</Trans>}{' '}
        <span className="font-normal">{name}</span>
      </p>
      <ProgressBar
        className="w-full"
        label={t`Files in the next index`}
        value={files_total ? files_done / files_total : 0}
      />
      <p className="text-sm text-muted">
        {files_total === null
          ? t`The files are being counted.`
          : t`${done} of ${total} files · ${plural(passages_done, { one: '# passage', other: '# passages' })}`}
      </p>
      <div aria-live="polite">
        {error_message && (
          <Notice>
            {error_message} {!isFailed && <Trans>It is tried again by itself.</Trans>}{' '}
            <Trans>Searches go to the old index meanwhile.</Trans>
          </Notice>
        )}
        {error && <Notice>{explain(error)}</Notice>}
      </div>
      {!isNarrowed && (
        <div className="flex gap-2">
          {isFailed && (
            <Button isBusy={again.isPending} onClick={() => again.mutate()}>
              <Trans>Try again</Trans>
            </Button>
          )}
          <Button isBusy={cancelling.isPending} onClick={() => cancelling.mutate()}>
            <Trans>Cancel</Trans>
          </Button>
        </div>
      )}
    </div>
  )
}
