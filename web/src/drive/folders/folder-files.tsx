import type { KnowledgeBase } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useRef } from 'react'
import { explain } from '../../platform/errors.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Plus } from '../../ui/icons.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { useFolder } from '../drive.queries.ts'
import { filePage } from '../files/file-pages.ts'
import { useFollowed } from '../files/follow-folder.ts'
import { FileIcon } from '../items/file-icon.tsx'
import { FileStatusBadge } from '../items/file-status.tsx'
import { isIndexing } from '../items/items.ts'
import { DropZone } from '../uploads/drop-zone.tsx'
import { addUploads } from '../uploads/uploads.ts'

const NEWEST = { by: 'created_at', isReversed: false } as const
const MOST_SHOWN = 20

interface FolderFilesProps {
  folderId: string
  /** Whether nothing can be added. */
  isClosed: boolean
}

/** Short list of the newest files of a folder on another page: takes dropped files, and shows how far the reading is. */
export function FolderFiles({ folderId, isClosed }: FolderFilesProps) {
  const { data: folder } = useFolder(folderId)
  return folder ? <Files folder={folder} isClosed={isClosed} /> : null
}

function Files({ folder, isClosed }: { folder: KnowledgeBase; isClosed: boolean }) {
  const folderId = folder._id
  const { data, error } = useQuery(filePage({ folder, search: '', order: NEWEST }, 0))
  const picker = useRef<HTMLInputElement>(null)
  const id = useId()
  const files = data?.items.flatMap((item) => (item.kind === 'file' ? [item.file] : [])) ?? []
  useFollowed(folderId, files.some(isIndexing))
  return (
    <DropZone folder={folder} isClosed={isClosed}>
      <div className="mb-2 flex items-center justify-between gap-3">
        <h2 id={id} className="font-medium">
          <Trans>Files</Trans>
        </h2>
        {!isClosed && (
          <Button icon={Plus} onClick={() => picker.current!.click()}>
            <Trans>Add files</Trans>
          </Button>
        )}
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          data-add="files"
          onChange={({ target }) => {
            if (target.files) addUploads(folderId, target.files)
            target.value = ''
          }}
        />
      </div>
      {error && <Notice>{explain(error)}</Notice>}
      {data && files.length === 0 && (
        <p className="rounded-card border border-dashed border-line-strong/60 px-4 py-6 text-center text-muted text-pretty">
          {isClosed ? t`No files yet.` : t`Drop files here: answers come from them.`}
        </p>
      )}
      <ul aria-labelledby={id}>
        {files.slice(0, MOST_SHOWN).map((file) => (
          <li key={file.id}>
            <Link
              to="/drive/$folderId/$fileId"
              params={{ folderId, fileId: file.id }}
              className="flex items-center gap-2.5 rounded-control px-2 py-1.5 hover:bg-hover"
            >
              <FileIcon name={file.file_name} />
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {file.title}
              </span>
              <FileStatusBadge file={file} />
            </Link>
          </li>
        ))}
      </ul>
      {(data || error) && (
        <Link
          to="/drive/$folderId"
          params={{ folderId }}
          className="mt-2 self-start text-sm underline underline-offset-4"
        >
          <Trans>All files in the drive</Trans>
        </Link>
      )}
    </DropZone>
  )
}
