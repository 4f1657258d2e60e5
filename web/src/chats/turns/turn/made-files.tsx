import type { OutputFile } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { docent } from '../../../access/access.ts'
import { FileIcon } from '../../../drive/drive.ts'
import { explain } from '../../../platform/errors.ts'
import { formatBytes } from '../../../platform/format.ts'
import { Download } from '../../../ui/icons.ts'
import { toast } from '../../../ui/overlays/toasts.tsx'
import type { ChatPath } from '../../chats.queries.ts'

interface MadeFilesProps {
  path: ChatPath
  messageId: string
  files: OutputFile[]
}

/** Files made by an answer, listed below it. */
export const MadeFiles = ({ path, messageId, files }: MadeFilesProps) => (
  <ul aria-label={t`Files of this answer`} className="flex flex-wrap gap-2">
    {files.map((file) => (
      <li key={file.key} className="max-w-full">
        <button
          type="button"
          onClick={() => download(path, messageId, file)}
          className="flex max-w-full items-center gap-2.5 rounded-control border border-line bg-raised px-3 py-2 text-start text-sm transition-colors hover:border-line-strong"
        >
          <FileIcon name={file.file_name} />
          <span className="min-w-0 max-w-72 truncate font-medium">{file.file_name}</span>
          <span className="shrink-0 text-muted tabular-nums">{formatBytes(file.size_bytes)}</span>
          <Download size={16} className="shrink-0 text-muted" aria-label={t`Download`} />
        </button>
      </li>
    ))}
  </ul>
)

/** The link in the message may have expired, and may name the server by another host. */
async function download({ agentId, chatId }: ChatPath, messageId: string, { key }: OutputFile): Promise<void> {
  try {
    const message = await docent().chats.messages.get(agentId, chatId, messageId, { downloadable_output: true })
    const { pathname, search } = new URL(message.downloadable_output![key]!)
    const link = document.createElement('a')
    link.href = pathname + search
    link.download = ''
    link.click()
  } catch (error) {
    toast(t`The download failed. ${explain(error)}`, { isError: true })
  }
}
