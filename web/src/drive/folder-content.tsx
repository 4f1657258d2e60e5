import type { ReactNode } from 'react'
import { explain } from '../platform/errors.ts'
import { count } from '../platform/format.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { FileText, Upload } from '../ui/icons.ts'
import { Notice } from '../ui/notice.tsx'
import { useFiles, useFolders } from './drive.queries.ts'
import { FileRow } from './file-row.tsx'
import { FolderRow } from './folder-row.tsx'
import { UploadList } from './upload-list.tsx'
import { useUploads } from './uploads.ts'

interface FolderContentProps {
  folderId: string
  /** Part of a file's title; empty for all. */
  search: string
  searchBox: ReactNode
  /** Absent where nothing can be added. */
  onAdd?: () => void
}

/** Sub-folders, files on their way, and files of a folder. */
export function FolderContent({ folderId, search, searchBox, onAdd }: FolderContentProps) {
  const { data: folders = [] } = useFolders(folderId)
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useFiles(folderId, search)
  const uploads = useUploads().filter((upload) => upload.folderId === folderId)

  if (error) return <Notice action={<Button onClick={() => refetch()}>Try again</Button>}>{explain(error)}</Notice>
  if (!data) return null
  const files = data.pages.flatMap((page) => page.files)
  const { total, successful } = data.pages.at(-1)!
  const isEmpty = total === 0 && search === '' && folders.length === 0 && uploads.length === 0

  if (isEmpty)
    return (
      <EmptyState
        icon={FileText}
        title="Nothing here yet"
        action={
          onAdd && (
            <Button variant="primary" icon={Upload} onClick={onAdd}>
              Add files
            </Button>
          )
        }
      >
        Drag files here: PDF, Word, PowerPoint, Excel, web pages, Markdown, e-mails, images of text, code.
      </EmptyState>
    )
  return (
    <div className="space-y-6">
      {folders.length > 0 && search === '' && (
        <ul aria-label="Folders" className="divide-y divide-line overflow-hidden rounded-card border border-line">
          {folders.map((folder) => (
            <FolderRow key={folder._id} folder={folder} />
          ))}
        </ul>
      )}
      {uploads.length > 0 && <UploadList uploads={uploads} />}
      {(total > 0 || search !== '') && (
        <section aria-labelledby="files">
          <div className="mb-2 flex items-center justify-between gap-3 px-1">
            <h2 id="files" className="text-sm font-medium text-muted" aria-live="polite">
              {count(total, 'file')}
              {successful < total && `, ${successful} ready`}
            </h2>
            {searchBox}
          </div>
          {files.length > 0 && (
            <ul aria-label="Files" className="divide-y divide-line overflow-hidden rounded-card border border-line">
              {files.map((file) => (
                <FileRow key={file.id} file={file} />
              ))}
            </ul>
          )}
          {hasNextPage && (
            <Button className="mt-3" isBusy={isFetchingNextPage} onClick={() => fetchNextPage()}>
              Show more
            </Button>
          )}
        </section>
      )}
    </div>
  )
}
