import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { explainMissing, isMissing } from '../../platform/errors.ts'
import { FileQuestion } from '../icons.ts'
import { EmptyState } from './empty-state.tsx'
import { ReadProblem } from './read-problem.tsx'

interface LoadProblemProps {
  error: unknown
  /** Title: `This agent is not here`. */
  title: string
  /** Link to the list of existing ones: retrying does not help if something is missing. */
  way: ReactNode
  onRetry: () => unknown
}

/** Error shown in place of what could not be loaded: it does not exist, or retrying may help. */
export const LoadProblem = ({ error, title, way, onRetry }: LoadProblemProps) =>
  isMissing(error) ? (
    <EmptyState icon={FileQuestion} title={title} action={way}>
      <Trans>{explainMissing(error)} It may have been deleted, or be private to another workspace.</Trans>
    </EmptyState>
  ) : (
    <div className="p-6">
      <ReadProblem error={error} onRetry={onRetry} />
    </div>
  )
