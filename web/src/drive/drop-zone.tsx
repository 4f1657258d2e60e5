import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { Upload } from '../ui/icons.ts'

interface DropZoneProps {
  /** What happens with what is dropped, in words. */
  hint: string
  onDrop: (data: DataTransfer) => void
  children: ReactNode
}

/** Takes files that are dragged onto its content, and shows that it would. */
export function DropZone({ hint, onDrop, children }: DropZoneProps) {
  // Each element below that the pointer enters or leaves tells so, too: only the sum says whether it is still inside.
  const depth = useRef(0)
  const [isOver, setOver] = useState(false)

  function count(event: DragEvent, change: 1 | -1) {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    depth.current += change
    setOver(depth.current > 0)
  }

  return (
    <section
      aria-label="Folder"
      className="relative flex min-h-0 flex-1 flex-col"
      onDragEnter={(event) => count(event, 1)}
      onDragLeave={(event) => count(event, -1)}
      onDragOver={(event) => event.dataTransfer.types.includes('Files') && event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        depth.current = 0
        setOver(false)
        onDrop(event.dataTransfer)
      }}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-3 flex flex-col items-center justify-center gap-3 rounded-card border-2 border-dashed border-accent bg-paper/90 text-accent">
          <Upload size={28} strokeWidth={1.5} aria-hidden />
          <p className="font-display text-2xl">{hint}</p>
        </div>
      )}
    </section>
  )
}
