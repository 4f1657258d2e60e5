import type { KnowledgeBase } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { docent, queryClient, useMe } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { CopyBox } from '../../ui/controls/copy-button.tsx'
import { Time } from '../../ui/data/time.tsx'
import { Field, Input } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { ReadProblem } from '../../ui/notices/read-problem.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'

const sharesKey = (folderId: string) => ['shares', folderId]

const useShares = (folderId: string) =>
  useInfiniteQuery({
    queryKey: sharesKey(folderId),
    queryFn: ({ pageParam }) => docent().shares.list(folderId, { page: pageParam }),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.has_more ? last.page + 1 : undefined),
    select: ({ pages }) => pages.flatMap(({ shares }) => shares),
  })

/** Organizations that may read a folder and everything below it. */
export function ShareDialog({ folder, onClose }: { folder: KnowledgeBase; onClose: () => void }) {
  const [organizationId, setOrganizationId] = useState('')
  const { data: me } = useMe()
  const { data: shares, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useShares(folder._id)
  const refresh = () => queryClient.invalidateQueries({ queryKey: sharesKey(folder._id) })
  const add = useMutation({
    mutationFn: () => docent().shares.create(folder._id, organizationId.trim()),
    async onSuccess() {
      setOrganizationId('')
      await refresh()
    },
  })
  const end = useMutation({
    mutationFn: (id: string) => docent().shares.delete(folder._id, id),
    onSettled: refresh,
  })

  return (
    <Dialog title={t`Share “${folder.name}”`} onClose={onClose} width="wide">
      <p className="text-muted text-pretty">
        <Trans>
          Another organization on this server may then read this folder with all below it, and its agents may answer
          from it. It cannot change anything, and you can end it at any moment.
        </Trans>
      </p>
      <form
        className="mt-5 flex items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (organizationId.trim()) add.mutate()
        }}
      >
        <div className="min-w-0 flex-1">
          <Field
            label={t`Id of the organization`}
            hint={t`24 characters. They find it in this dialog, for any of their folders.`}
            error={add.error && explain(add.error)}
          >
            {(control) => (
              <Input
                {...control}
                autoFocus
                spellCheck={false}
                autoComplete="off"
                maxLength={24}
                placeholder="6740a1b2c3d4e5f6a7b8c9d0"
                value={organizationId}
                onChange={(event) => setOrganizationId(event.target.value)}
                className="h-9 font-mono pointer-coarse:h-10"
              />
            )}
          </Field>
        </div>
        <Button
          variant="primary"
          type="submit"
          isBusy={add.isPending}
          disabled={!organizationId.trim()}
          className="mt-7.5"
        >
          <Trans>Share</Trans>
        </Button>
      </form>

      <h3 className="mt-6 mb-2 font-medium">
        <Trans>Who can read it</Trans>
      </h3>
      {error && <ReadProblem error={error} onRetry={refetch} />}
      {end.error && <Notice className="mb-2">{explain(end.error)}</Notice>}
      {shares?.length === 0 && (
        <p className="text-muted">
          <Trans>Nobody but your own organization.</Trans>
        </p>
      )}
      {shares && shares.length > 0 && (
        <ul aria-label={t`Who can read it`} className="divide-y divide-line rounded-control border border-line">
          {shares.map((share) => (
            <li key={share.organization_id} className="flex items-center gap-3 py-2 pe-2 ps-3.5">
              <div className="min-w-0 flex-1">
                <p className="truncate font-medium">{share.organization_name}</p>
                <p className="truncate text-sm text-muted">
                  <Trans>since</Trans> <Time iso={share.created_at} />
                </p>
              </div>
              <Button
                isBusy={end.isPending && end.variables === share.organization_id}
                onClick={() => end.mutate(share.organization_id)}
              >
                <Trans>End</Trans>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {hasNextPage && (
        <Button className="mt-2" isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          <Trans>Show more</Trans>
        </Button>
      )}
      {me && (
        <div className="mt-6 border-t border-line pt-4">
          <p className="mb-1.5 text-sm text-muted">
            <Trans>To have something shared with you, send them the id of your own:</Trans>
          </p>
          <CopyBox label={t`Id of your organization`} text={me.organization.id} />
        </div>
      )}
    </Dialog>
  )
}
