import type { Integration } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { folderById } from '../../drive/drive.ts'
import { explain } from '../../platform/errors.ts'
import { Button, IconButton } from '../../ui/controls/button.tsx'
import { Time } from '../../ui/data/time.tsx'
import { Pencil, RefreshCw, Square, Trash2 } from '../../ui/icons.ts'
import { Badge } from '../../ui/notices/badge.tsx'
import { ProgressBar } from '../../ui/notices/progress-bar.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { INTEGRATION_KINDS } from './integration-kinds.ts'
import { cancelSync, syncIntegration, updateIntegration, useProblems } from './integrations.queries.ts'

interface IntegrationRowProps {
  integration: Integration
  mayChange: boolean
  onChange: () => void
  onDelete: () => void
}

/** One linked folder: its source, its state, and what can be done with it. */
export function IntegrationRow({ integration, mayChange, onChange, onDelete }: IntegrationRowProps) {
  const { kind, knowledge_base_id, status, last_synced_at, error_message, config, progress } = integration
  const { data: folder } = useQuery(folderById(knowledge_base_id))
  const known = INTEGRATION_KINDS[kind]
  const name = folder?.name ?? t`this source`
  return (
    <li className="rounded-card border border-line p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <Link
            to="/drive/$folderId"
            params={{ folderId: knowledge_base_id }}
            className="font-semibold text-accent hover:underline"
          >
            {folder?.name ?? '…'}
          </Link>
          <p className="text-sm text-muted wrap-anywhere">
            {known?.name ?? kind} {known && <code>{known.titleOf(config)}</code>}
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <Status integration={integration} />
          {mayChange && (
            <>
              <Actions integration={integration} />
              {known && <IconButton label={t`Change ${name}`} icon={Pencil} onClick={onChange} />}
              <IconButton label={t`Unlink ${name}`} icon={Trash2} onClick={onDelete} />
            </>
          )}
        </div>
      </div>
      {status === 'syncing' && (
        <div className="mt-3 flex items-end gap-4">
          {progress && <Progress done={progress.done} total={progress.total} />}
          {mayChange && <StopButton id={integration.id} />}
        </div>
      )}
      {error_message && status !== 'syncing' && (
        <p className="mt-2 rounded-control bg-bad-soft px-3 py-2 text-sm wrap-anywhere">{error_message}</p>
      )}
      {progress && progress.problems > 0 && <Problems id={integration.id} count={progress.problems} />}
      <p className="mt-2 text-sm text-muted">
        {last_synced_at ? (
          <>
            <Trans>Last synced</Trans> <Time iso={last_synced_at} />
          </>
        ) : (
          t`Not synced yet`
        )}
      </p>
    </li>
  )
}

function Status({ integration: { status, error_message } }: { integration: Integration }) {
  if (status === 'syncing')
    return (
      <Badge tone="busy">
        <Trans>Syncing</Trans>
      </Badge>
    )
  if (status === 'failed')
    return (
      <Badge tone="bad">
        <Trans>Failed</Trans>
      </Badge>
    )
  if (status === 'paused')
    return (
      <Badge tone="quiet">
        <Trans>Paused</Trans>
      </Badge>
    )
  return (
    <Badge tone={error_message ? 'quiet' : 'good'}>
      <Trans>In sync</Trans>
    </Badge>
  )
}

const onError = (error: Error) => toast(explain(error), { isError: true })

function Actions({ integration: { id, status, is_paused } }: { integration: Integration }) {
  const syncing = useMutation({ mutationFn: () => syncIntegration(id), onError })
  const pausing = useMutation({ mutationFn: () => updateIntegration(id, { is_paused: !is_paused }), onError })
  return (
    <>
      <Button icon={RefreshCw} isBusy={syncing.isPending || status === 'syncing'} onClick={() => syncing.mutate()}>
        <Trans>Sync now</Trans>
      </Button>
      <Button isBusy={pausing.isPending} onClick={() => pausing.mutate()}>
        {is_paused ? <Trans>Resume</Trans> : <Trans>Pause</Trans>}
      </Button>
    </>
  )
}

/** Ends a sync. It is not in the place of the button that began it, where a second click would hit it. */
function StopButton({ id }: { id: string }) {
  const stopping = useMutation({ mutationFn: () => cancelSync(id), onError })
  return (
    <Button icon={Square} className="ms-auto" isBusy={stopping.isPending} onClick={() => stopping.mutate()}>
      <Trans>Stop</Trans>
    </Button>
  )
}

/** Progress of a sync. A source is listed before its files are read: until then nothing is known of the whole. */
const Progress = ({ done, total }: { done: number; total: number }) => (
  <div className="min-w-0 flex-1">
    <ProgressBar label={t`Progress of the sync`} value={done > 0 ? done / total : undefined} className="w-full" />
    <p className="mt-1 text-sm text-muted">
      {done > 0 ? (
        <Trans>
          {done} of {total} files
        </Trans>
      ) : (
        <Trans>Looking for files: {total} so far</Trans>
      )}
    </p>
  </div>
)

const Problems = ({ id, count }: { id: string; count: number }) => (
  <details className="mt-2 text-sm">
    <summary className="cursor-pointer text-muted">
      <Trans>Items with problems: {count}</Trans>
    </summary>
    <ProblemList id={id} />
  </details>
)

function ProblemList({ id }: { id: string }) {
  const { data, error } = useProblems(id)
  if (error) return <p className="mt-2">{explain(error)}</p>
  return (
    <ul className="mt-2 max-h-60 space-y-1 overflow-y-auto">
      {data?.problems.map(({ path, reason }) => (
        <li key={`${path} ${reason}`} className="wrap-anywhere">
          <code>{path || '/'}</code> <span className="text-muted">{reason}</span>
        </li>
      ))}
    </ul>
  )
}
