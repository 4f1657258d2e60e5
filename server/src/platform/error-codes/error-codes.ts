import { ACCESS_ERRORS } from './access.ts'
import { ACCOUNT_ERRORS } from './accounts.ts'
import { AGENT_ERRORS } from './agents.ts'
import { CONTENT_ERRORS } from './content.ts'
import { DIRECTORY_ERRORS } from './directories.ts'
import type { ErrorDescription } from './error-description.ts'
import { REQUEST_ERRORS } from './requests.ts'

/** Every error code by the part of the API that it belongs to: the source of docs/errors.md and of openapi.json. */
export const ERROR_GROUPS = {
  'Every request': REQUEST_ERRORS,
  'Keys and rights': ACCESS_ERRORS,
  'Accounts and workspaces': ACCOUNT_ERRORS,
  'Knowledge bases and files': CONTENT_ERRORS,
  'Agents and chats': AGENT_ERRORS,
  'User directories (SCIM)': DIRECTORY_ERRORS,
} as const satisfies Record<string, Record<string, ErrorDescription>>

export const ERROR_CODES = {
  ...REQUEST_ERRORS,
  ...ACCESS_ERRORS,
  ...ACCOUNT_ERRORS,
  ...CONTENT_ERRORS,
  ...AGENT_ERRORS,
  ...DIRECTORY_ERRORS,
} as const satisfies Record<string, ErrorDescription>

/** Public and stable, UPPER_SNAKE. One without a line in the tables is a type error. */
export type ErrorCode = keyof typeof ERROR_CODES
