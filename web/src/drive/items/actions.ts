import type { DataSource, KnowledgeBase } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { useMay, useMe } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import {
  Download,
  FolderInput,
  type LucideIcon,
  Pencil,
  RefreshCw,
  RotateCcw,
  Share2,
  Tag,
  Tags,
  Trash2,
  Users,
  X,
} from '../../ui/icons.ts'
import { toast } from '../../ui/overlays/toasts.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import { cancelIndexing, indexAgain } from '../drive.queries.ts'
import { download } from '../files/downloads.ts'
import { isRootOfLink, useMayWrite, useReadOnly } from '../rights.ts'
import { filesAmong, type Item, isIndexing } from './items.ts'

export type ActionId =
  | 'download'
  | 'rename'
  | 'move'
  | 'tags'
  | 'share'
  | 'access'
  | 'readers'
  | 'versions'
  | 'metadata'
  | 'index'
  | 'cancel'
  | 'delete'

export interface Action {
  id: ActionId
  label: string
  icon: LucideIcon
  shortcut?: string
  isDangerous?: boolean
}

/** Whether Docent found nothing in a file: it fails however often it is read. */
export const isEmpty = ({ indexing }: DataSource): boolean => indexing?.reason_code === 'EMPTY'

/**
 * Returns a function that lists the actions on items, most common first.
 * @param asked see `useMayWrite`
 */
export function useActions(
  asked: Item[],
  shownIn: KnowledgeBase | null,
): (items: Item[], within: KnowledgeBase | null) => Action[] {
  const readOnly = useReadOnly(asked, shownIn)
  const mayWrite = useMayWrite()
  const mayShare = useMay('create_knowledgebase')
  const { data: me } = useMe()
  return (items, within) => {
    const [only] = items.length === 1 ? items : []
    const files = filesAmong(items)
    const isWritable = !readOnly(items, within)
    const isOwn = !within || within.organization_id === me?.organization.id
    const isOpen = isOwn && mayWrite(items, within)
    const mayEnd = isOpen && items.every((item) => isRootOfLink(item, within))
    const areFiles = files.length === items.length && files.length > 0
    const hasFailed = files.some(({ status }) => status === 'failed')
    const isReadable = files.some((file) => !isEmpty(file))
    const areRead = areFiles && files.some(isIndexing)
    const actions: (Action | false | undefined)[] = [
      { id: 'download', label: only?.kind === 'file' ? t`Download` : t`Download as ZIP`, icon: Download },
      isWritable && only && { id: 'rename', label: t`Rename…`, icon: Pencil, shortcut: 'F2' },
      isWritable && { id: 'move', label: t`Move…`, icon: FolderInput, shortcut: 'M' },
      isWritable && only?.kind === 'folder' && { id: 'tags', label: t`Tags…`, icon: Tag },
      only?.kind === 'folder' &&
        mayShare &&
        only.folder.organization_id === me?.organization.id && { id: 'share', label: t`Share…`, icon: Share2 },
      only?.kind === 'folder' &&
        only.folder.organization_id === me?.organization.id && { id: 'access', label: t`Who can see it…`, icon: Users },
      isOwn && only && areFiles && { id: 'readers', label: t`Who can read it…`, icon: Users },
      isOwn && only && areFiles && { id: 'versions', label: t`Versions…`, icon: RotateCcw },
      areFiles && (only || isOpen) && { id: 'metadata', label: t`Metadata…`, icon: Tags },
      isOpen && areRead && { id: 'cancel', label: t`Cancel reading`, icon: X },
      isOpen &&
        areFiles &&
        isReadable && { id: 'index', label: hasFailed ? t`Try again` : t`Index again`, icon: RefreshCw },
      (isWritable || mayEnd) && { id: 'delete', label: t`Delete`, icon: Trash2, shortcut: t`Del`, isDangerous: true },
    ]
    return actions.filter((action) => action !== false && action !== undefined)
  }
}

type PlainActionId = 'download' | 'index' | 'cancel'

/** Whether an action needs no dialog. */
export const isPlain = (id: ActionId): id is PlainActionId => /^(download|index|cancel)$/.test(id)

export function runAction(id: PlainActionId, items: Item[]): void {
  const files = filesAmong(items)
  if (id === 'download') unawaited(download(items))
  else (id === 'index' ? indexAgain : cancelIndexing)(files).catch((error) => toast(explain(error), { isError: true }))
}
