import type { DataSource } from '@docent/sdk'
import { useState } from 'react'
import { explain } from '../platform/errors.ts'
import { formatBytes, formatTime } from '../platform/format.ts'
import { ConfirmDialog } from '../ui/ask-dialogs.tsx'
import { IconButton } from '../ui/button.tsx'
import { Download, Ellipsis, RefreshCw, Trash2 } from '../ui/icons.ts'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { toast } from '../ui/toasts.tsx'
import { deleteFile, downloadFile, indexAgain } from './drive.queries.ts'
import { FileIcon } from './file-icon.tsx'
import { FileStatusBadge } from './file-status.tsx'

export function FileRow({ file }: { file: DataSource }) {
  const [isDeleting, setDeleting] = useState(false)
  return (
    <li className="flex items-center gap-3 px-3 py-2.5 transition-colors hover:bg-hover">
      <FileIcon name={file.file_name || file.title} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium" title={file.title}>
          {file.title}
        </p>
        {file.status === 'failed' && file.status_reason ? (
          <p className="text-sm text-bad">{file.status_reason}</p>
        ) : (
          <p className="text-sm text-muted">
            {formatBytes(file.size_bytes)} · {formatTime(file.created_at)}
          </p>
        )}
      </div>
      <FileStatusBadge status={file.status} />
      <Menu
        label={`Actions for ${file.title}`}
        trigger={(props) => <IconButton {...props} label={`Actions for ${file.title}`} icon={Ellipsis} />}
      >
        {file.status === 'failed' && (
          <MenuItem icon={RefreshCw} onSelect={() => attempt(indexAgain(file))}>
            Read again
          </MenuItem>
        )}
        <MenuItem icon={Download} onSelect={() => attempt(downloadFile(file))}>
          Download
        </MenuItem>
        <MenuItem icon={Trash2} isDangerous onSelect={() => setDeleting(true)}>
          Delete…
        </MenuItem>
      </Menu>
      {isDeleting && (
        <ConfirmDialog
          title="Delete this file?"
          confirm="Delete"
          act={() => deleteFile(file)}
          onClose={() => setDeleting(false)}
        >
          “{file.title}” is gone for good, and no answer can be found in it any more.
        </ConfirmDialog>
      )}
    </li>
  )
}

const attempt = (action: Promise<unknown>) => action.catch((error) => toast(explain(error), { isError: true }))
