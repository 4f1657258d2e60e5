import { Link } from '@tanstack/react-router'
import { useRecentFiles } from '../../drive/drive.ts'
import { buttonClass } from '../../ui/controls/button.tsx'
import { ChevronRight } from '../../ui/icons.ts'

interface ExampleQuestionsProps {
  folderIds: string[]
  onAsk: (query: string) => void
}

const QUESTIONS = [
  (title: string) => `What is “${title}” about?`,
  (title: string) => `What are the main points of “${title}”?`,
  (title: string) => `What should I know from “${title}”?`,
]

/** Example questions that the agent's own documents can answer. */
export function ExampleQuestions({ folderIds, onAsk }: ExampleQuestionsProps) {
  const { data: files } = useRecentFiles(folderIds[0]!)
  if (!files) return <div className="h-40" />
  if (files.length === 0)
    return (
      <div className="mt-6 flex flex-wrap items-center justify-center gap-3 text-muted">
        No document is ready in its folders yet.
        <Link to="/drive/$folderId" params={{ folderId: folderIds[0]! }} className={buttonClass('secondary')}>
          Add documents
        </Link>
      </div>
    )
  return (
    <ul aria-label="Questions to begin with" className="mt-6 divide-y divide-line">
      {files.slice(0, QUESTIONS.length).map(({ id, title }, index) => {
        const question = questionAbout(readableName(title), index)
        return (
          <li key={id}>
            <button
              type="button"
              onClick={() => onAsk(question)}
              className="group flex w-full items-center justify-between gap-3 px-1.5 py-2.5 text-left text-muted transition-colors hover:text-ink"
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

/** A document with a question as its title answers that question. */
const questionAbout = (name: string, index: number): string =>
  /^(who|what|when|where|why|which|how)\b/i.test(name) ? `${name}?` : QUESTIONS[index]!(name)

/** Turns `travel-policy.md` into `Travel policy`. */
function readableName(title: string): string {
  const words = title.replace(/\.[a-z0-9]{1,5}$/i, '').replaceAll(/[-_]+/g, ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
