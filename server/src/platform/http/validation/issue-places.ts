import type { z } from 'zod'
import type { ErrorDetail } from '../../errors.ts'

type Issue = z.core.$ZodIssue

/** Details of an error for every field that a schema refuses. @param prefix of their paths */
export const problemsOf = ({ issues }: z.ZodError, ...prefix: string[]): ErrorDetail[] =>
  issues.map((issue) =>
    placeIssue([...prefix, ...issue.path], issue.message, issue.code === 'invalid_union' ? issue.errors : []),
  )

/**
 * Detail for an issue: of a union the problem of its nearest branch, under the whole path.
 * @param errors of the branches, if it is a union's
 */
export function placeIssue(path: PropertyKey[], message: string, errors: Issue[][]): ErrorDetail {
  const near = nearestIssue(errors)
  return { path: [...path, ...(near?.path ?? [])].join('.'), message: near?.message ?? message }
}

/** First issue of the branch of a union that a value comes nearest to: one that takes values of its kind. */
export function nearestIssue(errors: Issue[][]): Issue | undefined {
  const hasOtherKind = (issues: Issue[]) =>
    issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0)
  const near = errors.find((issues) => issues.length > 0 && !hasOtherKind(issues))?.[0]
  const deeper = near?.code === 'invalid_union' ? nearestIssue(near.errors) : undefined
  return near && deeper ? { ...deeper, path: [...near.path, ...deeper.path] } : near
}
