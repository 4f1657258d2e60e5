import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useRecentFiles } from '../../drive/drive.ts'
import { buttonClass } from '../../ui/controls/button.tsx'
import { ChevronRight } from '../../ui/icons.ts'
import { useSuggestions } from './suggested-questions.ts'

interface ExampleQuestionsProps {
  folderIds: string[]
  onAsk: (query: string) => void
}

/** Questions that the agent's own documents can answer. */
export function ExampleQuestions({ folderIds, onAsk }: ExampleQuestionsProps) {
  const { data: files } = useRecentFiles(folderIds[0]!)
  const { data: suggestions = [] } = useSuggestions(files)
  if (!files) return <div className="h-40" />
  if (files.length === 0)
    return (
      <div className="mt-6 flex flex-wrap items-center justify-center gap-3 text-muted">
        <Trans>
          No document is ready in its folders yet.
          <Link to="/drive/$folderId" params={{ folderId: folderIds[0]! }} className={buttonClass('secondary')}>
            Add documents
          </Link>
        </Trans>
      </div>
    )
  return (
    <ul aria-label={t`Questions to begin with`} className="mt-6 min-h-32 divide-y divide-line">
      {suggestions.map(({ question, fileId }) => {
        return (
          <li key={fileId}>
            <button
              type="button"
              onClick={() => onAsk(question)}
              className="group flex w-full items-center justify-between gap-3 px-1.5 py-2.5 text-start text-muted transition-colors hover:text-ink"
            >
              <span className="min-w-0 truncate">{question}</span>
              <ChevronRight
                size={15}
                className="shrink-0 transition-transform group-hover:translate-x-0.5"
                aria-hidden
              />
            </button>
          </li>
        )
      })}
    </ul>
  )
}
