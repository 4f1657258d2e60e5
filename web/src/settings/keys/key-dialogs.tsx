import type { ApiKey, CreatedApiKey } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { isolate } from '../../platform/format.ts'
import { IconButton } from '../../ui/controls/button.tsx'
import { ActionsHeader } from '../../ui/data/actions-header.tsx'
import type { Column } from '../../ui/data/table.tsx'
import { TimeOrNever } from '../../ui/data/time.tsx'
import { RefreshCw, Trash2 } from '../../ui/icons.ts'
import { ConfirmDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { MadeKey } from './made-key.tsx'
import { RotateKey } from './rotate-key.tsx'

type Open = { is: 'making' } | { is: 'made'; key: CreatedApiKey } | { is: 'rotating' | 'revoking'; key: ApiKey }

/** Dialog that is open over a list of keys; one at most. */
export function useKeyDialogs() {
  const [open, setOpen] = useState<Open>()
  return {
    open,
    make: () => setOpen({ is: 'making' }),
    showMade: (key: CreatedApiKey) => setOpen({ is: 'made', key }),
    rotate: (key: ApiKey) => setOpen({ is: 'rotating', key }),
    revoke: (key: ApiKey) => setOpen({ is: 'revoking', key }),
    close: () => setOpen(undefined),
  }
}

interface KeyDialogsProps {
  dialogs: ReturnType<typeof useKeyDialogs>
  /** Form for a new key. */
  form: (props: { onClose: () => void; onMade: (key: CreatedApiKey) => void }) => ReactNode
  rotate: (key: ApiKey, seconds: number) => Promise<CreatedApiKey>
  revoke: (key: ApiKey) => Promise<unknown>
  /** Further consequence of a revocation. */
  warning?: (key: ApiKey) => ReactNode
}

export function KeyDialogs({ dialogs, form, rotate, revoke, warning }: KeyDialogsProps) {
  const { open, close, showMade } = dialogs
  switch (open?.is) {
    case 'making':
      return form({ onClose: close, onMade: showMade })
    case 'made':
      return <MadeKey apiKey={open.key} onClose={close} />
    case 'rotating':
      return (
        <RotateKey
          apiKey={open.key}
          act={(seconds) => rotate(open.key, seconds)}
          onRotated={showMade}
          onClose={close}
        />
      )
    case 'revoking':
      return (
        <ConfirmDialog
          title={t`Revoke “${open.key.name}”?`}
          confirm={t`Revoke`}
          act={() => revoke(open.key)}
          onClose={close}
        >
          <Trans>
            Whatever uses {isolate(`${open.key.prefix}…`)} is refused within five seconds, for good.
            {warning?.(open.key)}
          </Trans>
        </ConfirmDialog>
      )
    default:
      return null
  }
}

/**
 * Column with the name and the visible part of a key.
 * @param details of a key on a phone, where the table has no columns for them
 */
export const nameColumn = (
  isOwn: (key: ApiKey) => boolean = () => false,
  details?: (key: ApiKey) => ReactNode,
): Column<ApiKey> => ({
  key: 'name',
  header: t`Name`,
  className: 'sm:min-w-44',
  cell: (key) => (
    <>
      <span title={key.name} className="line-clamp-2 font-medium wrap-anywhere">
        <bdi>{key.name}</bdi>
      </span>
      <span className="font-mono text-sm text-muted">{key.prefix}…</span>
      {isOwn(key) && (
        <span className="ms-2 text-sm text-accent">
          <Trans>this session</Trans>
        </span>
      )}
      {details && <span className="block text-sm text-muted sm:hidden">{details(key)}</span>}
    </>
  ),
})

export const lastUsedColumn: Column<ApiKey> = {
  key: 'used',
  header: t`Last used`,
  className: 'max-sm:hidden',
  cell: ({ last_used_at }) => <TimeOrNever iso={last_used_at} />,
}

export interface KeyActions {
  /** Absent for somebody who may not. */
  onRotate: ((key: ApiKey) => void) | undefined
  onRevoke: (key: ApiKey) => void
}

export const actionsColumn = ({ onRotate, onRevoke }: KeyActions): Column<ApiKey> => ({
  key: 'actions',
  header: <ActionsHeader />,
  className: 'w-px',
  cell: (key) => (
    <span className="flex">
      {onRotate && <IconButton label={t`New secret for ${key.name}`} icon={RefreshCw} onClick={() => onRotate(key)} />}
      <IconButton label={t`Revoke ${key.name}`} icon={Trash2} onClick={() => onRevoke(key)} />
    </span>
  ),
})
