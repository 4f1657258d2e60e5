import { t } from '@lingui/core/macro'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { createStore } from '../../platform/state/store.ts'
import { unawaited } from '../../ui/unawaited.ts'
import type { Item } from '../items/items.ts'
import { uploadDropped } from '../uploads/upload-dropped.ts'
import { moveItems, moveProblem, type Target } from './moves.ts'

/** Rows being dragged within this page; empty if none are. */
const dragged = createStore<Item[]>([])

const OPENS_AFTER_MS = 700

/** Starts to drag items, with their number under the pointer. */
export function startDrag(event: DragEvent, items: Item[]): void {
  event.dataTransfer.effectAllowed = 'move'
  // Some browsers do not start a drag without data.
  event.dataTransfer.setData('text/plain', items.map(({ name }) => name).join('\n'))
  const label = document.createElement('div')
  label.textContent = items.length === 1 ? items[0]!.name : t`${items.length} items`
  label.className = 'drag-label'
  document.body.append(label)
  event.dataTransfer.setDragImage(label, -12, -8)
  setTimeout(() => label.remove())
  // Not synchronously: changing a row while a drag starts ends it.
  setTimeout(() => dragged.set(items))
}

export const endDrag = (): void => dragged.set([])

interface DropTarget {
  target: Target
  /** Whether it accepts nothing: it is linked to a source, or belongs to another organization. */
  isReadOnly?: boolean
  /** Called when something is held over it for a while. */
  onHold?: () => void
}

/** Makes an element accept rows, which are moved there, and files from outside, which are uploaded. */
export function useDropTarget({ target, isReadOnly = false, onHold }: DropTarget) {
  const depth = useRef(0)
  const [isOver, setOver] = useState(false)
  const hold = useRef(onHold)
  hold.current = onHold

  useEffect(() => {
    if (!isOver) return
    const timer = setTimeout(() => hold.current?.(), OPENS_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isOver])

  function takes({ dataTransfer }: DragEvent): boolean {
    if (isReadOnly) return false
    const items = dragged.get()
    return items.length > 0 ? !moveProblem(items, target) : dataTransfer.types.includes('Files')
  }

  function count(event: DragEvent, change: 1 | -1) {
    depth.current = Math.max(0, depth.current + change)
    if (takes(event)) {
      event.preventDefault()
      event.stopPropagation()
    }
    setOver(depth.current > 0 && takes(event))
  }

  return {
    isOver,
    handlers: {
      onDragEnter: (event: DragEvent) => count(event, 1),
      onDragLeave: (event: DragEvent) => count(event, -1),
      onDragOver(event: DragEvent) {
        if (!takes(event)) return
        event.preventDefault()
        event.stopPropagation()
        event.dataTransfer.dropEffect = dragged.get().length > 0 ? 'move' : 'copy'
      },
      onDrop(event: DragEvent) {
        depth.current = 0
        setOver(false)
        if (!takes(event)) return
        event.preventDefault()
        event.stopPropagation()
        const items = dragged.get()
        endDrag()
        if (items.length > 0) unawaited(moveItems(items, target))
        else unawaited(uploadDropped(target, event.dataTransfer))
      },
    },
  }
}
