import { ERROR_GROUPS } from '../../server/src/platform/error-codes/error-codes.ts'
import type { ErrorDescription } from '../../server/src/platform/error-codes/error-description.ts'
import { INDEXING_REASONS } from '../../server/src/platform/error-codes/indexing-reasons.ts'
import { CLIENT_CODES } from './client-codes.ts'

const OPENING = `# Errors

<!-- Made by \`npm run generate\` from server/src/platform/error-codes: change it there. -->

Every error has the same form: a code for programs, words for people, and, where fields are at fault, each of them.

\`\`\`json
{
  "error_code": "VALIDATION_ERROR",
  "message": "name: must not be empty",
  "details": [{ "path": "name", "message": "must not be empty" }]
}
\`\`\`

- Codes stay as they are; messages may become clearer. Compare \`error_code\`, never \`message\`; a code that you do not know counts as its status.
- 429 and 503 say in \`Retry-After\` after how many seconds to try again. 500, and 4xx other than 429 and 408, are not answered better by the same request.
- What makes, changes or deletes something takes an \`Idempotency-Key\`, a text of your own: sent again within 24 hours, the request does nothing and is answered as the first time, with \`idempotency-replayed: true\`. Only successes are kept; after an error the key is free. On a query it stands for the \`message_id\`. An upload that is sent again is compared by its content. If the server is killed in the moment between the change and the note of it, the request is carried out again; an upload is not.
- \`x-request-id\` of the answer names the request in the server's log.
- What each operation may answer with stands in \`/openapi.json\` and at \`/docs\`.
- \`/openai/v1\` and \`/scim/v2\` send the same errors in the forms of those protocols: the code in lower case as \`error.code\`, or the message as \`detail\`.
`

/** The text of docs/errors.md. */
export function errorDocs(): string {
  const groups = Object.entries<Record<string, ErrorDescription>>(ERROR_GROUPS)
  const parts = groups.map(([name, codes]) => `\n## ${name}\n\n${HEAD}${Object.entries(codes).map(row).join('')}`)
  return `${OPENING}${parts.join('')}${REASONS}${rowsOf(INDEXING_REASONS)}${OF_CLIENTS}${rowsOf(CLIENT_CODES)}`
}

const HEAD = '| code | status | meaning | cause | cure |\n| --- | --- | --- | --- | --- |\n'

const row = ([code, { status, meaning, cause, cure }]: [string, ErrorDescription]): string =>
  `| \`${code}\` | ${status} | ${meaning} | ${cause} | ${cure} |\n`

const SHORT_HEAD = '| code | meaning | cure |\n| --- | --- | --- |\n'

const REASONS = `
## Why a file is not indexed

No errors of a request: \`indexing.reason_code\` of a file whose \`status\` is \`failed\`. \`status_reason\` says the same in words about this file. Where the server could not reach something that indexing needs, or a quota was used up, the code is one of those above.

${SHORT_HEAD}`

const OF_CLIENTS = `
## Codes of the clients

What the clients for TypeScript and Python, and with them the command line, throw as \`DocentError\` with status 0, because no answer of the server tells it. An answer that is not the server's own has \`HTTP_\` and its status as code. A run that fails while its answer is streamed throws \`AGENT_FAILED\` with status 0, too.

${SHORT_HEAD}`

const rowsOf = (codes: Record<string, Pick<ErrorDescription, 'meaning' | 'cure'>>): string =>
  Object.entries(codes)
    .map(([code, { meaning, cure }]) => `| \`${code}\` | ${meaning} | ${cure} |\n`)
    .join('')
