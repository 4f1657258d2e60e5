import { formatBytes } from '../platform/format.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { X } from '../ui/icons.ts'
import { FileIcon } from './file-icon.tsx'
import { dropUpload, retryUpload, type Upload } from './uploads.ts'

/** Files on their way into the open folder. */
export const UploadList = ({ uploads }: { uploads: Upload[] }) => (
  <ul aria-label="Uploads" className="divide-y divide-line overflow-hidden rounded-card border border-line">
    {uploads.map((upload) => (
      <UploadRow key={upload.id} upload={upload} />
    ))}
  </ul>
)

function UploadRow({ upload: { id, file, state, progress, reason } }: { upload: Upload }) {
  return (
    <li className="flex animate-rise items-center gap-3 px-3 py-2.5">
      <FileIcon name={file.name} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{file.name}</p>
        {state === 'failed' ? (
          <p role="alert" className="text-sm text-bad">
            {reason}
          </p>
        ) : (
          <progress
            aria-label={`Upload of ${file.name}`}
            value={progress}
            className="mt-1 block h-1 w-full appearance-none overflow-hidden rounded-full [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-hover [&::-webkit-progress-value]:bg-accent"
          />
        )}
      </div>
      {state === 'failed' ? (
        <Button onClick={() => retryUpload(id)}>Try again</Button>
      ) : (
        <span className="min-w-26 text-right text-sm text-muted tabular-nums">
          {state === 'waiting' ? 'Waiting' : `${Math.round(progress * 100)} % of ${formatBytes(file.size)}`}
        </span>
      )}
      <IconButton label={state === 'failed' ? 'Forget it' : 'Stop'} icon={X} onClick={() => dropUpload(id)} />
    </li>
  )
}
