import { explain } from '../platform/errors.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Folder, FolderPlus } from '../ui/icons.ts'
import { Notice } from '../ui/notice.tsx'
import { useFolders } from './drive.queries.ts'
import { FolderRow } from './folder-row.tsx'

/** The folders at the root. */
export function RootContent({ onCreate }: { onCreate?: () => void }) {
  const { data: folders, error, refetch } = useFolders(null)
  if (error) return <Notice action={<Button onClick={() => refetch()}>Try again</Button>}>{explain(error)}</Notice>
  if (!folders) return null
  if (folders.length === 0)
    return (
      <EmptyState
        icon={Folder}
        title="Put your documents here"
        action={
          onCreate && (
            <Button variant="primary" icon={FolderPlus} onClick={onCreate}>
              New folder
            </Button>
          )
        }
      >
        Make a folder and add files to it, or drag whole folders onto this page. Agents answer from them.
      </EmptyState>
    )
  return (
    <ul aria-label="Folders" className="divide-y divide-line overflow-hidden rounded-card border border-line">
      {folders.map((folder) => (
        <FolderRow key={folder._id} folder={folder} />
      ))}
    </ul>
  )
}
