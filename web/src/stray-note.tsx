import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { useMay } from './access/access.ts'
import { uploadStray } from './drive/drive.ts'
import { takeStrayFiles, usePageNote, useStrayFiles } from './platform/files/stray-files.ts'
import { DropNote } from './ui/overlays/drop-note.tsx'
import { unawaited } from './ui/unawaited.ts'

/** Takes files that are dropped where nothing else takes them, and says where they will go while they are dragged. */
export function StrayNote() {
  const isOver = useStrayFiles()
  const note = usePageNote()
  const mayCreate = useMay('create_knowledgebase')
  useEffect(() => takeStrayFiles(mayCreate ? (taken) => unawaited(uploadStray(taken)) : null), [mayCreate])
  if (!isOver) return null
  return (
    <DropNote isOverAll isRefused={!mayCreate && note === null}>
      {note ?? (mayCreate ? t`Add to the drive, in a folder of their own` : t`You may not add folders to the drive`)}
    </DropNote>
  )
}
