import type { KnowledgeBase } from '@docent/sdk'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { docent } from '../../access/access.ts'
import { formatList } from '../../platform/format.ts'
import { ConfirmDialog, NameDialog } from '../../ui/overlays/ask-dialogs.tsx'
import { renameFile, renameFolder } from '../drive.queries.ts'
import { deleteItems } from '../moves/deletions.ts'
import type { ActionId } from './actions.ts'
import { describeItems, filesAmong, foldersAmong, type Item } from './items.ts'

const AccessDialog = lazy(async () => ({ default: (await import('../access/access-dialog.tsx')).AccessDialog }))
const MetadataDialog = lazy(async () => ({
  default: (await import('../metadata/metadata-dialog.tsx')).MetadataDialog,
}))
const MoveDialog = lazy(async () => ({ default: (await import('../moves/move-dialog.tsx')).MoveDialog }))
const ReadersDialog = lazy(async () => ({ default: (await import('../access/readers-dialog.tsx')).ReadersDialog }))
const ShareDialog = lazy(async () => ({ default: (await import('../folders/share-dialog.tsx')).ShareDialog }))
const TagsDialog = lazy(async () => ({ default: (await import('../folders/tags-dialog.tsx')).TagsDialog }))

const VersionsDialog = lazy(async () => ({ default: (await import('../files/versions-dialog.tsx')).VersionsDialog }))

export interface Asked {
  id: ActionId
  items: Item[]
}

interface ItemDialogsProps {
  asked: Asked
  onClose: () => void
  /** Receives the items that leave the folder. */
  onGone?: (items: Item[]) => void
}

/** Dialogs that precede an action; the larger ones are loaded when they are opened. */
export const ItemDialogs = (props: ItemDialogsProps) => (
  <Suspense>
    <ItemDialog {...props} />
  </Suspense>
)

function ItemDialog({ asked: { id, items }, onClose, onGone }: ItemDialogsProps) {
  const item = items[0]!
  if (id === 'rename')
    return (
      <NameDialog
        title={item.kind === 'folder' ? t`Rename the folder` : t`Rename the file`}
        label={t`Name`}
        initial={item.name}
        confirm={t`Rename`}
        act={(name) => (item.kind === 'folder' ? renameFolder(item.id, name) : renameFile(item.file, name))}
        onClose={onClose}
      />
    )
  if (id === 'move') return <MoveDialog items={items} onClose={onClose} onMoved={() => onGone?.(items)} />
  if (id === 'tags' && item.kind === 'folder') return <TagsDialog folder={item.folder} onClose={onClose} />
  if (id === 'share' && item.kind === 'folder') return <ShareDialog folder={item.folder} onClose={onClose} />
  if (id === 'access' && item.kind === 'folder') return <AccessDialog folder={item.folder} onClose={onClose} />
  if (id === 'readers' && item.kind === 'file') return <ReadersDialog file={item.file} onClose={onClose} />
  if (id === 'versions' && item.kind === 'file') return <VersionsDialog file={item.file} onClose={onClose} />
  if (id === 'metadata') return <MetadataDialog files={filesAmong(items)} onClose={onClose} />
  if (id === 'delete')
    return (
      <ConfirmDialog
        title={items.length === 1 ? t`Delete this folder?` : t`Delete ${describeItems(items)}?`}
        confirm={t`Delete`}
        act={async () => {
          deleteItems(items)
          onGone?.(items)
        }}
        onClose={onClose}
      >
        <Loss folders={foldersAmong(items)} />
      </ConfirmDialog>
    )
  return null
}

/** Consequences of deleting folders. */
function Loss({ folders }: { folders: KnowledgeBase[] }) {
  const ids = folders.map(({ _id }) => _id)
  const { data } = useQuery({
    queryKey: ['folder', ...ids, 'loss'],
    queryFn: async () => {
      let folderCount = 0
      let fileCount = 0
      for (const id of ids) {
        const { data_sources_count, query_info } = await docent().dataSources.list(id, {
          recursive: true,
          page_size: 1,
        })
        folderCount += query_info.folders_queried - 1
        fileCount += data_sources_count.total - (query_info.folders_queried - 1)
      }
      return { folderCount, fileCount }
    },
  })
  const whose = folders.length === 1 ? `“${folders[0]!.name}”` : t`Each of these folders`
  const inside = data
    ? formatList([
        ...(data.folderCount > 0 ? [plural(data.folderCount, { one: '# folder', other: '# folders' })] : []),
        ...(data.fileCount > 0 ? [plural(data.fileCount, { one: '# file', other: '# files' })] : []),
      ]) || t`nothing`
    : null
  const isLinked = folders.some(({ integration_id }) => integration_id)
  return (
    <>
      <p>
        <Trans>
          {whose} is deleted with everything in it{inside === null ? '' : `: ${inside}`}. Agents cannot answer from it
          any more.
        </Trans>
      </p>
      {isLinked && (
        <p className="mt-2">
          <Trans>Its link to the source ends; what is at the source stays as it is.</Trans>
        </p>
      )}
      <p className="mt-2">
        <Trans>You can undo this for a few seconds.</Trans>
      </p>
    </>
  )
}
