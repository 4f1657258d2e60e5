import { t } from '@lingui/core/macro'
import { useMemo, useState } from 'react'
import { Spinner } from '../../../ui/controls/button.tsx'
import { compactClass } from '../../../ui/fields/field.tsx'
import { LoadProblem } from '../../../ui/notices/load-problem.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { type ChatPath, useMessage } from '../../chats.queries.ts'
import { CitationsContext } from '../../sources/citations-context.ts'
import { RichText } from '../../text/rich-text.tsx'
import { AnswerFailure } from '../turn/answer-failure.tsx'

interface CompareVersionsProps {
  path: ChatPath
  versions: string[]
  /** Version that is shown in the chat. */
  shown: string
  onClose: () => void
}

/** Two versions of a question and its answer, side by side. */
export function CompareVersions({ path, versions, shown, onClose }: CompareVersionsProps) {
  const at = versions.indexOf(shown)
  const [left, setLeft] = useState(versions[at > 0 ? at - 1 : 0]!)
  const [right, setRight] = useState(versions[at > 0 ? at : 1]!)
  return (
    <Dialog title={t`Compare versions`} width="broad" onClose={onClose}>
      <div className="grid gap-6 md:grid-cols-2">
        <Version path={path} versions={versions} id={left} label={t`First version`} onChoose={setLeft} />
        <Version path={path} versions={versions} id={right} label={t`Second version`} onChoose={setRight} />
      </div>
    </Dialog>
  )
}

interface VersionProps {
  path: ChatPath
  versions: string[]
  id: string
  label: string
  onChoose: (id: string) => void
}

function Version({ path, versions, id, label, onChoose }: VersionProps) {
  const { data: message, error, refetch } = useMessage(path, id)
  const context = useMemo(() => ({ all: message?.citations ?? [], isPending: true, open: () => {} }), [message])
  return (
    <section aria-label={label} className="min-w-0 space-y-3">
      <select aria-label={label} className={compactClass} value={id} onChange={({ target }) => onChoose(target.value)}>
        {versions.map((version, index) => (
          <option key={version} value={version}>
            {t`Version ${index + 1}`}
          </option>
        ))}
      </select>
      {error && <LoadProblem error={error} title={t`This version is not here`} way={null} onRetry={refetch} />}
      {!message && !error && <Spinner label={t`Reading the version`} />}
      {message && (
        <>
          <h3 dir="auto" className="font-medium whitespace-pre-wrap wrap-anywhere">
            {message.query}
          </h3>
          {message.usage && <p className="text-sm text-muted">{message.usage.model}</p>}
          {message.error_message !== null && (
            <p className="text-sm text-bad">
              <AnswerFailure message={message.error_message} />
            </p>
          )}
          <div className="prose">
            <CitationsContext value={context}>
              <RichText text={message.response} isStreaming={false} />
            </CitationsContext>
          </div>
        </>
      )}
    </section>
  )
}
