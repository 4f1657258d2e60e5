import { useNavigate, useParams } from '@tanstack/react-router'
import { useDeferredValue, useRef, useState } from 'react'
import { useMay } from '../access/access.queries.ts'
import { explain } from '../platform/errors.ts'
import { NameDialog } from '../ui/ask-dialogs.tsx'
import { Button } from '../ui/button.tsx'
import { FolderPlus, Upload } from '../ui/icons.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { toast } from '../ui/toasts.tsx'
import { addDropped } from './add-dropped.ts'
import { Breadcrumb } from './breadcrumb.tsx'
import { createFolder, useFolderPath } from './drive.queries.ts'
import { DropZone } from './drop-zone.tsx'
import { readDropped } from './dropped-files.ts'
import { FolderContent } from './folder-content.tsx'
import { FolderMenu } from './folder-menu.tsx'
import { RootContent } from './root-content.tsx'
import { addUploads } from './uploads.ts'

/** One folder, or the root: what is in it, and ways to add to it. */
export function FolderView() {
  const { folderId = null } = useParams({ strict: false })
  return <OpenFolder key={folderId} folderId={folderId} />
}

function OpenFolder({ folderId }: { folderId: string | null }) {
  const { data: path } = useFolderPath(folderId)
  const folder = folderId === null ? undefined : path?.at(-1)
  const [isNaming, setNaming] = useState(false)
  const [search, setSearch] = useState('')
  const deferredSearch = useDeferredValue(search.trim())
  const picker = useRef<HTMLInputElement>(null)
  const mayCreate = useMay('create_knowledgebase')
  const navigate = useNavigate()
  const isLinked = Boolean(folder?.integration_id)

  async function takeDrop(data: DataTransfer) {
    try {
      const dropped = await readDropped(data)
      if (folderId === null && dropped.files.length > 0) toast('Open a folder first: files live in folders.')
      await addDropped(folderId, dropped)
    } catch (error) {
      toast(explain(error), { isError: true })
    }
  }

  return (
    <DropZone hint={folder ? `Add to “${folder.name}”` : 'Add these folders'} onDrop={takeDrop}>
      <PageHeader
        title={folder?.name ?? 'Drive'}
        actions={
          <>
            {mayCreate && (
              <Button icon={FolderPlus} onClick={() => setNaming(true)}>
                New folder
              </Button>
            )}
            {folder && !isLinked && (
              <Button variant="primary" icon={Upload} onClick={() => picker.current!.click()}>
                Add files
              </Button>
            )}
            {folder && (
              <FolderMenu
                folder={folder}
                onDeleted={() =>
                  navigate(
                    folder.parent_kb_id
                      ? { to: '/drive/$folderId', params: { folderId: folder.parent_kb_id } }
                      : { to: '/drive' },
                  )
                }
              />
            )}
          </>
        }
      >
        {folderId === null ? undefined : <Breadcrumb path={path ?? []} />}
      </PageHeader>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          if (folderId && target.files) addUploads(folderId, target.files)
          target.value = ''
        }}
      />
      <div className="min-h-0 flex-1 overflow-y-auto scroll-quiet">
        <div className="mx-auto max-w-5xl p-4 sm:p-6">
          {folderId === null ? (
            <RootContent onCreate={mayCreate ? () => setNaming(true) : undefined} />
          ) : (
            <FolderContent
              folderId={folderId}
              search={deferredSearch}
              searchBox={
                <input
                  type="search"
                  aria-label="Find a file in this folder"
                  placeholder="Find a file"
                  value={search}
                  onChange={(event) => setSearch(event.target.value)}
                  className="h-8 w-36 rounded-control bg-hover px-3 text-sm focus-visible:outline-offset-0 sm:w-48"
                />
              }
              onAdd={isLinked ? undefined : () => picker.current!.click()}
            />
          )}
        </div>
      </div>
      {isNaming && (
        <NameDialog
          title={folder ? `New folder in “${folder.name}”` : 'New folder'}
          label="Name"
          confirm="Create"
          act={(name) => createFolder(name, folderId)}
          onClose={() => setNaming(false)}
        />
      )}
    </DropZone>
  )
}
