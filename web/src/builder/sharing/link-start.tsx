import { useLingui } from '@lingui/react/macro'

interface LinkStartProps {
  greeting: string
  description?: string
  questions: string[]
  onAsk: (question: string) => void
}

/**
 * Page of a link before its visitor asks: the greeting, and questions to begin with. Its preview is in the link's
 * language, which may be another than the UI's.
 */
export function LinkStart({ greeting, description, questions, onAsk }: LinkStartProps) {
  const { t } = useLingui()
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto scroll-quiet px-5 py-8 text-center">
      <div className="my-auto">
        <p
          dir="auto"
          className="mx-auto max-w-lg font-display text-[clamp(1.6rem,5vw,2.4rem)] leading-[1.15] text-balance whitespace-pre-line wrap-anywhere"
        >
          {greeting || t`What would you like to know?`}
        </p>
        {description && (
          <p dir="auto" className="mx-auto mt-3 max-w-md text-muted text-pretty wrap-anywhere">
            {description}
          </p>
        )}
        {questions.length > 0 && (
          <ul aria-label={t`Questions to begin with`} className="mt-6 flex flex-wrap justify-center gap-2">
            {questions.map((question) => (
              <li key={question}>
                <button
                  type="button"
                  dir="auto"
                  onClick={() => onAsk(question)}
                  className="rounded-2xl border border-accent/40 px-3.5 py-1.5 text-start text-accent transition-colors hover:border-accent hover:bg-accent-soft wrap-anywhere"
                >
                  {question}
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
