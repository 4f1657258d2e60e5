import type { KnowledgeBase } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { DropNote } from '../../ui/overlays/drop-note.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import { uploadDropped } from './upload-dropped.ts'

interface DropZoneProps {
  /** Null for the root. */
  folder: KnowledgeBase | null
  isClosed: boolean
  children: ReactNode
}

/** Area that accepts files dragged from outside, and shows that it would. */
export function DropZone({ folder, isClosed, children }: DropZoneProps) {
  // Elements inside fire enter and leave events, too: only their sum says whether the pointer is still inside.
  const depth = useRef(0)
  const [isOver, setOver] = useState(false)
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')
  const takes = (event: DragEvent) => !isClosed && hasFiles(event)

  function count(event: DragEvent, change: 1 | -1) {
    if (!hasFiles(event)) return
    if (!isClosed) event.preventDefault()
    depth.current = Math.max(0, depth.current + change)
    setOver(depth.current > 0)
  }
  function end() {
    depth.current = 0
    setOver(false)
  }

  return (
    <section
      aria-label={t`Folder`}
      data-refuses-files={isClosed || undefined}
      className="relative flex min-h-0 flex-1 flex-col"
      onDragEnterCapture={(event) => count(event, 1)}
      onDragLeaveCapture={(event) => count(event, -1)}
      onDragOver={(event) => takes(event) && event.preventDefault()}
      onDropCapture={end}
      onDrop={(event) => {
        if (!takes(event)) return
        event.preventDefault()
        unawaited(uploadDropped(folder, event.dataTransfer))
      }}
    >
      {children}
      {isOver && (
        <DropNote isRefused={isClosed}>
          {isClosed
            ? folder
              ? t`No files can be added to “${folder.name}”`
              : t`You may not add folders to the drive`
            : folder
              ? t`Add to “${folder.name}”`
              : t`Add these files and folders`}
        </DropNote>
      )}
    </section>
  )
}
