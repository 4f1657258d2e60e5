import type { KnowledgeBase } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { cx } from '../../ui/class-names.ts'
import { Button } from '../../ui/controls/button.tsx'
import { HardDrive } from '../../ui/icons.ts'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { useFolders } from '../drive.queries.ts'
import { FoldButton } from '../folders/fold-button.tsx'
import { FolderIcon } from '../items/file-icon.tsx'
import { describeItems, type Item } from '../items/items.ts'
import { useReadOnlyReason } from '../rights.ts'
import { moveItems, moveProblem, type Target } from './moves.ts'

interface MoveDialogProps {
  items: Item[]
  onClose: () => void
  onMoved: () => void
}

/** Dialog with the folder tree: moves items without dragging. */
export function MoveDialog({ items, onClose, onMoved }: MoveDialogProps) {
  const [target, setTarget] = useState<Target | undefined>(undefined)
  const problem = target === undefined ? undefined : moveProblem(items, target)
  const move = useMutation({ mutationFn: () => moveItems(items, target!), onSuccess: onMoved })
  const hasFiles = items.some(({ kind }) => kind === 'file')
  return (
    <Dialog title={t`Move ${describeItems(items)}`} onClose={onClose} width="wide">
      <fieldset>
        <legend className="mb-2 text-muted">
          <Trans>Where to?</Trans>
        </legend>
        <div className="max-h-[45dvh] overflow-y-auto scroll-quiet rounded-control border border-line-strong/60 bg-raised p-1.5">
          {!hasFiles && (
            <Choice
              name={t`Drive, outside of every folder`}
              isChosen={target === null}
              onChoose={() => setTarget(null)}
              icon={<HardDrive size={17} strokeWidth={1.7} className="shrink-0 text-accent" aria-hidden />}
            />
          )}
          <Level parentId={null} items={items} target={target} onChoose={setTarget} />
        </div>
      </fieldset>
      <div className="mt-5 flex items-center justify-end gap-2">
        <p aria-live="polite" className="min-w-0 flex-1 text-sm text-muted">
          {problem}
        </p>
        <Button onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button
          variant="primary"
          disabled={target === undefined || problem !== undefined}
          isBusy={move.isPending}
          onClick={() => {
            move.mutate()
            onClose()
          }}
        >
          <Trans>Move here</Trans>
        </Button>
      </div>
    </Dialog>
  )
}

interface LevelProps {
  parentId: string | null
  items: Item[]
  target: Target | undefined
  onChoose: (target: Target) => void
}

function Level({ parentId, items, target, onChoose }: LevelProps) {
  const { data } = useFolders(parentId)
  const readOnlyReason = useReadOnlyReason()
  // A folder cannot move into itself or below itself, nor anything into a read-only folder.
  const moved = new Set(items.map(({ id }) => id))
  const folders = (data ?? []).filter((folder) => !moved.has(folder._id) && !readOnlyReason(folder))
  if (data && folders.length === 0)
    return (
      <p className={cx('py-1 text-sm text-muted', parentId === null ? 'px-2' : 'ps-9')}>
        <Trans>No folders here</Trans>
      </p>
    )
  return (
    <ul className={cx(parentId !== null && 'ms-6')}>
      {folders.map((folder) => (
        <Branch key={folder._id} folder={folder} {...{ items, target, onChoose }} />
      ))}
    </ul>
  )
}

function Branch({ folder, ...rest }: Omit<LevelProps, 'parentId'> & { folder: KnowledgeBase }) {
  const [isUnfolded, setUnfolded] = useState(false)
  return (
    <li>
      <div className="flex items-center">
        <FoldButton folder={folder} isUnfolded={isUnfolded} onToggle={() => setUnfolded(!isUnfolded)} />
        <Choice
          name={folder.name}
          isChosen={rest.target?._id === folder._id}
          onChoose={() => rest.onChoose(folder)}
          icon={<FolderIcon folder={{ integration_id: null }} />}
        />
      </div>
      {isUnfolded && <Level parentId={folder._id} {...rest} />}
    </li>
  )
}

interface ChoiceProps {
  name: string
  icon: React.ReactNode
  isChosen: boolean
  onChoose: () => void
}

const Choice = ({ name, icon, isChosen, onChoose }: ChoiceProps) => (
  <label
    className={cx(
      'flex min-w-0 flex-1 cursor-pointer items-center gap-2.5 rounded-control px-2 py-1.5 hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:py-2.5',
      isChosen && 'bg-accent-soft',
    )}
  >
    <input type="radio" name="move-target" checked={isChosen} onChange={onChoose} className="sr-only" />
    {icon}
    <span className="truncate">{name}</span>
  </label>
)
