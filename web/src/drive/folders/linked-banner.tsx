import type { KnowledgeBase } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useMay, useMe, wholeDocent } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Time } from '../../ui/data/time.tsx'
import { Link2, RefreshCw, Users } from '../../ui/icons.ts'
import { Banner } from '../../ui/notices/banner.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import { refreshFiles, refreshFolders } from '../drive.queries.ts'

/** Reason why a folder is read-only: it is linked to a source, or belongs to another organization. */
export function ReadOnlyBanner({ folder }: { folder: KnowledgeBase }) {
  const { data: me } = useMe()
  if (me && folder.organization_id !== me.organization.id)
    return (
      <Banner icon={Users}>
        <Trans>
          Another organization shares this with you. You can read it and ask about it; only they can change it.
        </Trans>
      </Banner>
    )
  return folder.integration_id ? <LinkedBanner folder={folder} integrationId={folder.integration_id} /> : null
}

/** Longer than it takes to open a folder. */
const JUST_NOW_MS = 30_000

function LinkedBanner({ folder, integrationId }: { folder: KnowledgeBase; integrationId: string }) {
  const mayUse = useMay('create_knowledgebase')
  const { data } = useQuery({
    queryKey: ['integration', integrationId],
    queryFn: () => wholeDocent().integrations.get(integrationId),
    refetchInterval: ({ state }) => (state.data?.status === 'syncing' ? 1_500 : 30_000),
  })
  const sync = useMutation({
    mutationFn: () => wholeDocent().integrations.sync(integrationId),
    onError: (error) => toast(explain(error), { isError: true }),
    onSuccess: (_data, _variables, _result, { client }) =>
      client.invalidateQueries({ queryKey: ['integration', integrationId] }),
  })
  const isSyncing = data?.status === 'syncing'
  // Files of a sync are shown while it runs, and again at its end. A short sync may end before it was seen to run,
  // and one that ended just now may have ended after the files were listed.
  const seen = useRef(data)
  useEffect(() => {
    const before = seen.current
    const hasEnded = before
      ? before.status === 'syncing' || before.last_synced_at !== data?.last_synced_at
      : data?.last_synced_at && Date.now() - Date.parse(data.last_synced_at) < JUST_NOW_MS
    if (isSyncing || hasEnded) unawaited(Promise.all([refreshFiles(folder._id), refreshFolders()]))
    seen.current = data
  }, [data, isSyncing, folder._id])

  const source = typeof data?.config.path === 'string' ? data.config.path : undefined
  return (
    <Banner
      icon={Link2}
      problem={data?.error_message}
      action={
        mayUse &&
        data && (
          <Button icon={RefreshCw} isBusy={sync.isPending || isSyncing} onClick={() => sync.mutate()}>
            {isSyncing ? t`Reading the source` : t`Sync now`}
          </Button>
        )
      }
    >
      <Trans>Linked</Trans>
      {source && t` to ${source}`}
      <Trans>: change files there, and they change here.</Trans>
      {data?.last_synced_at && (
        <>
          <Trans> Last read</Trans> <Time iso={data.last_synced_at} />.
        </>
      )}
    </Banner>
  )
}
