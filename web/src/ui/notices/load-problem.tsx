import type { ReactNode } from 'react'
import { explain, explainMissing, isMissing } from '../../platform/errors.ts'
import { Button } from '../controls/button.tsx'
import { FileQuestion } from '../icons.ts'
import { EmptyState } from './empty-state.tsx'
import { Notice } from './notice.tsx'

interface LoadProblemProps {
  error: unknown
  /** `This agent is not here`. */
  title: string
  /** The way to where those are that are there: to ask again for what is missing helps nobody. */
  way: ReactNode
  onRetry: () => unknown
}

/** In place of what could not be loaded: it is not there, or it may come when it is asked for again. */
export const LoadProblem = ({ error, title, way, onRetry }: LoadProblemProps) =>
  isMissing(error) ? (
    <EmptyState icon={FileQuestion} title={title} action={way}>
      {explainMissing(error)} It may have been deleted, or be private to another workspace.
    </EmptyState>
  ) : (
    <div className="p-6">
      <Notice action={<Button onClick={onRetry}>Try again</Button>}>{explain(error)}</Notice>
    </div>
  )
