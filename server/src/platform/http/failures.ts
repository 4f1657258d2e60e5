import { ErrorResponse } from './validation/schemas.ts'

/** The statuses with which a route may answer in the form of an error, for its `response` schema. */
export const failures = <S extends number>(...statuses: S[]): Record<S, typeof ErrorResponse> =>
  Object.fromEntries(statuses.map((status) => [status, ErrorResponse])) as Record<S, typeof ErrorResponse>
