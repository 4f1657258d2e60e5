import type { DataSource, FileVersion } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { docent, queryClient } from '../../access/access.ts'
import { explain } from '../../platform/errors.ts'
import { formatBytes } from '../../platform/format.ts'
import { Button, IconButton, Spinner } from '../../ui/controls/button.tsx'
import { Time } from '../../ui/data/time.tsx'
import { Download, RotateCcw, Upload } from '../../ui/icons.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { toast } from '../../ui/overlays/toasts.tsx'
import { unawaited } from '../../ui/unawaited.ts'
import { refreshFiles, useFolder } from '../drive.queries.ts'
import { useReadOnly } from '../rights.ts'
import { sendFile } from '../uploads/send-file.ts'
import { saveVersion } from './downloads.ts'

interface VersionsDialogProps {
  file: DataSource
  onClose: () => void
}

/** Contents that a file has and had: to download, to restore, and to add one. */
export function VersionsDialog({ file, onClose }: VersionsDialogProps) {
  const { knowledge_base_id: folderId, id } = file
  const { data: folder } = useFolder(folderId)
  const readOnly = useReadOnly([], folder)
  const isWritable = folder !== undefined && !readOnly([], folder)
  const key = ['file-versions', id]
  const { data: versions, error } = useQuery({
    queryKey: [...key, file.version, file.found_version],
    queryFn: () => docent().dataSources.versions.list(folderId, id),
  })
  const [share, setShare] = useState(0)
  const picker = useRef<HTMLInputElement>(null)

  async function refresh() {
    await queryClient.invalidateQueries({ queryKey: key })
    await refreshFiles(folderId)
  }
  const replace = useMutation({
    mutationFn: async (picked: File) => {
      const fileId = await sendFile(picked, { signal: new AbortController().signal, onProgress: setShare })
      await docent().dataSources.replaceContent(folderId, id, fileId)
    },
    onSuccess: refresh,
  })
  const restore = useMutation({
    mutationFn: ({ version }: FileVersion) => docent().dataSources.versions.restore(folderId, id, version),
    onSuccess: async (_, { version }) => {
      toast(t`“${file.title}” has the content of version ${version} again.`)
      await refresh()
    },
  })
  const failure = error ?? replace.error ?? restore.error
  const isBusy = replace.isPending || restore.isPending
  return (
    <Dialog title={t`Versions of “${file.title}”`} onClose={onClose} width="wide">
      <p className="mb-3 text-sm text-muted">
        <Trans>Answers come from the version that searches find. A new one is found once Docent has read it.</Trans>
      </p>
      {failure && <Notice>{explain(failure)}</Notice>}
      {!versions && !error && <Spinner label={t`Loading`} />}
      <ul className="divide-y divide-line">
        {versions?.map((version) => (
          <VersionRow
            key={version.version}
            version={version}
            onDownload={() => unawaited(saveVersion(file, version))}
            onRestore={isWritable && !version.is_current && !isBusy ? () => restore.mutate(version) : null}
          />
        ))}
      </ul>
      {isWritable && (
        <div className="mt-4 flex flex-wrap items-center justify-end gap-3">
          {replace.isPending && <Spinner label={t`Uploading: ${Math.round(share * 100)} %`} />}
          <input
            ref={picker}
            type="file"
            hidden
            aria-label={t`Replace with another file…`}
            onChange={({ target }) => {
              const [picked] = target.files ?? []
              if (picked) replace.mutate(picked)
              target.value = ''
            }}
          />
          <Button icon={Upload} disabled={isBusy} onClick={() => picker.current?.click()}>
            <Trans>Replace with another file…</Trans>
          </Button>
        </div>
      )}
    </Dialog>
  )
}

interface VersionRowProps {
  version: FileVersion
  onDownload: () => void
  onRestore: (() => void) | null
}

function VersionRow({ version, onDownload, onRestore }: VersionRowProps) {
  const { version: number, api_key_name: name } = version
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="font-medium">{t`Version ${number}`}</span>
          {version.is_current && <span className="text-sm text-muted">{t`newest`}</span>}
          {version.is_found && <span className="text-sm text-muted">{t`is found`}</span>}
        </p>
        <p className="flex flex-wrap gap-x-2 text-sm text-muted">
          <Time iso={version.created_at} />
          <span>{describeOrigin(version.origin)}</span>
          {name && <span className="break-all">{name}</span>}
          <span>{formatBytes(version.size_bytes)}</span>
        </p>
      </div>
      {onRestore && <IconButton label={t`Restore version ${number}`} icon={RotateCcw} onClick={onRestore} />}
      <IconButton label={t`Download version ${number}`} icon={Download} onClick={onDownload} />
    </li>
  )
}

function describeOrigin(origin: FileVersion['origin']): string {
  if (origin === 'push') return t`pushed by a program`
  if (origin === 'sync') return t`from the source`
  return origin === 'restore' ? t`restored` : t`uploaded`
}
