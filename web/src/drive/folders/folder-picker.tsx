import type { KnowledgeBase } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueries } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { cx } from '../../ui/class-names.ts'
import { Folder, X } from '../../ui/icons.ts'
import { folderById, useFolders } from '../drive.queries.ts'
import { FoldButton } from './fold-button.tsx'

interface FolderPickerProps {
  label: string
  hint: string
  chosen: string[]
  onChange: (ids: string[]) => void
}

/** Tree to choose folders; folders below a chosen one are included. */
export function FolderPicker({ label, hint, chosen, onChange }: FolderPickerProps) {
  const hintId = useId()
  const toggle = (id: string) =>
    onChange(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])
  const { data: roots } = useFolders(null)
  return (
    <fieldset aria-describedby={hintId}>
      <legend className="mb-1.5 font-medium">{label}</legend>
      <Chosen ids={chosen} onRemove={toggle} />
      <div className="max-h-64 overflow-y-auto scroll-quiet rounded-control border border-line-strong/60 bg-raised p-1.5">
        {roots?.length === 0 && (
          <p className="px-2 py-1.5 text-muted">
            <Trans>There are no folders yet. Make one in Drive.</Trans>
          </p>
        )}
        <Level parentId={null} chosen={chosen} isIncluded={false} onToggle={toggle} />
      </div>
      <p id={hintId} className="mt-1.5 text-sm text-muted">
        {hint}
      </p>
    </fieldset>
  )
}

/** Names of the chosen folders, wherever they are in the tree. */
function Chosen({ ids, onRemove }: { ids: string[]; onRemove: (id: string) => void }) {
  const folders = useQueries({ queries: ids.map((id) => folderById(id)) })
  if (ids.length === 0) return null
  return (
    <ul aria-label={t`Chosen folders`} className="mb-2 flex flex-wrap gap-1.5">
      {ids.map((id, index) => {
        const name = folders[index]!.data?.name ?? (folders[index]!.error ? t`A folder that is gone` : '…')
        return (
          <li key={id} className="flex items-center gap-1.5 rounded-control bg-accent-soft ps-2.5 text-accent">
            <bdi>{name}</bdi>
            <button
              type="button"
              aria-label={t`Remove ${name}`}
              onClick={() => onRemove(id)}
              className="rounded-control p-1.5 hover:bg-hover"
            >
              <X size={14} aria-hidden />
            </button>
          </li>
        )
      })}
    </ul>
  )
}

interface LevelProps {
  parentId: string | null
  chosen: string[]
  /** True below a chosen folder. */
  isIncluded: boolean
  onToggle: (id: string) => void
}

function Level({ parentId, ...rest }: LevelProps) {
  const { data: folders = [] } = useFolders(parentId)
  return (
    <ul className={cx(parentId !== null && 'ms-6')}>
      {folders.map((folder) => (
        <Row key={folder._id} folder={folder} {...rest} />
      ))}
    </ul>
  )
}

function Row({ folder, chosen, isIncluded, onToggle }: Omit<LevelProps, 'parentId'> & { folder: KnowledgeBase }) {
  const [isUnfolded, setUnfolded] = useState(false)
  const isChosen = chosen.includes(folder._id)
  return (
    <li>
      <div className="flex items-center rounded-control hover:bg-hover">
        <FoldButton folder={folder} isUnfolded={isUnfolded} onToggle={() => setUnfolded(!isUnfolded)} />
        <label className="flex min-w-0 flex-1 items-center gap-2.5 py-1.5 pe-2 ps-1.5">
          <input
            type="checkbox"
            checked={isChosen || isIncluded}
            disabled={isIncluded}
            onChange={() => onToggle(folder._id)}
            className="size-4 accent-accent"
          />
          <Folder size={16} strokeWidth={1.7} className="shrink-0 text-accent" aria-hidden />
          <bdi className="truncate">{folder.name}</bdi>
        </label>
      </div>
      {isUnfolded && (
        <Level parentId={folder._id} chosen={chosen} isIncluded={isChosen || isIncluded} onToggle={onToggle} />
      )}
    </li>
  )
}
