// Messages that the server has in English, for people who read the UI in another language. Codes: docs/errors.md.
import type { DocentError } from '@docent/sdk'
import { t } from '@lingui/core/macro'
import { formatExactTime } from './format.ts'

/** Sentence about an error by its code; undefined for codes that say too little of what happened. */
export function errorInWords({ code, status, message }: DocentError): string | undefined {
  if (code === 'QUOTA_EXCEEDED') return quotaInWords(message)
  if (code === 'AGENT_FAILED') return t`The model or a tool failed. The server says: ${message}`
  return ERRORS[code]?.() ?? (status === 404 ? t`It no longer exists, or you may not see it.` : undefined)
}

/** Sentence about a value: what the server says of it, such as `must have at most 64 characters`. */
export function problemInWords(problem: string): string | undefined {
  const known = PROBLEMS.find(([pattern]) => pattern.test(problem))
  return known?.[1](known[0].exec(problem)?.[1] ?? '')
}

/** Sentence about an answer that failed, by what the server says of it. */
export function answerInWords(message: string): string | undefined {
  const [, file, reason = message] = /^(.+?\.\w{1,5}): (.+)$/s.exec(message) ?? []
  const known = ANSWERS.find(([pattern]) => pattern.test(reason))?.[1]()
  return known && file ? `${file}: ${known}` : known
}

const ANSWERS: [RegExp, () => string][] = [
  [
    /^The answer was interrupted because the server was stopped/,
    () => t`The server was stopped while it answered. Ask again.`,
  ],
  [
    /^The agent failed for a reason that is not yours/,
    () => t`The server failed. Try again; if it keeps failing, its log says why.`,
  ],
  [/^The file is password-protected\./, () => t`The file is password-protected. Upload a copy without one.`],
  [/^The file is empty/, () => t`The file holds no text.`],
  [
    /^No text was (found|recognised)/,
    () => t`No text was recognised in it. Upload a sharper scan or picture, or the text itself.`,
  ],
  [/^The (file|picture) is too large/, () => t`The file is too large. Split it, and upload its parts.`],
  [
    /^The file is (not readable|damaged)/,
    () => t`The file is damaged. Open it in its program, save it again and upload that.`,
  ],
]

function quotaInWords(message: string): string {
  const until = /\d{4}-\d\d-\d\dT[\d:.]+Z/.exec(message)?.[0]
  return until ? t`A quota is used up until ${formatExactTime(until)}.` : t`A quota is used up.`
}

const limitReached = () => t`The limit is reached. Delete some first.`
const linkIsOver = () => t`This link no longer works. Ask for another one.`
const byEnvironment = () => t`It is set in the environment of the server, and can only be changed there.`
const loginFailed = () => t`The login failed. Try again.`
const changedMeanwhile = () => t`Somebody has changed this meanwhile. Reload the page and try again.`

const ERRORS: Record<string, () => string> = {
  UNAUTHORIZED: () => t`You are signed out, or the key is not valid. Sign in again.`,
  FORBIDDEN: () => t`You may not do this.`,
  RATE_LIMITED: () => t`There were too many requests in a short time.`,
  PAYLOAD_TOO_LARGE: () => t`That is too large.`,
  FILE_UPLOAD_FAILED: () => t`The file is empty or too large, or was not received completely.`,
  KNOWLEDGE_BASE_NAME_CONFLICT: () => t`There is a folder of this name here already. Choose another name.`,
  KNOWLEDGE_BASE_LINKED: () => t`This folder is synced from its source. Change the files there.`,
  DATA_SOURCE_NOT_INDEXED: () => t`The file is not indexed yet, or could not be read.`,
  DATA_SOURCE_OUTDATED: changedMeanwhile,
  FILE_NOT_READABLE: () => t`No text can be read in the file.`,
  CONTENT_LOST: () => t`The content of the file is lost. Upload it again.`,
  NO_DOWNLOADABLE_DATA_SOURCES: () => t`There is nothing to download here.`,
  PASSAGE_CHANGED: changedMeanwhile,
  INTEGRATION_CHANGED: changedMeanwhile,
  SOURCE_LOGIN_FAILED: loginFailed,
  MCP_LOGIN_FAILED: loginFailed,
  MESSAGE_NOT_WAITING: () => t`Somebody has decided already.`,
  CHAT_NOT_EXPORTABLE: () => t`The chat cannot be exported in this format. Choose another one.`,
  EVALUATION_LIMIT: limitReached,
  TOO_MANY_MEMORIES: limitReached,
  TRANSCRIPTION_NOT_SET_UP: () => t`No transcription model is set. Ask an admin of your workspace.`,
  WRONG_PASSWORD: () => t`The password is incorrect.`,
  WRONG_CODE: () => t`The code is incorrect. Wait for the next one and try again.`,
  WEAK_PASSWORD: () => t`The password is too easy to guess. Choose a longer one.`,
  SIGN_IN_EXPIRED: () => t`The sign-in took too long. Begin again.`,
  SIGN_IN_REFUSED: () =>
    t`The provider knows you, but this server does not let you in. Ask an admin for an invitation.`,
  NO_WORKSPACE: () => t`Your account belongs to no workspace. Ask an admin for an invitation.`,
  ENDED_BY_DIRECTORY: () => t`The directory of your company has ended your access.`,
  CHALLENGE_EXPIRED: () => t`It took too long. Try again.`,
  PASSKEY_REFUSED: () => t`The passkey was not accepted. Try again, or sign in in another way.`,
  PASSKEY_EXISTS: () => t`This passkey is known already.`,
  PASSKEY_LIMIT: limitReached,
  PASSKEYS_NOT_SET_UP: () => t`Passkeys need an https address. Ask the operator of the server.`,
  LINK_INVALID: linkIsOver,
  LINK_EXPIRED: linkIsOver,
  LINK_NOT_VALID: linkIsOver,
  MEMBER_EXISTS: () => t`This person is a member already.`,
  MEMBER_ELSEWHERE: () => t`This person belongs to another organization. Send an invitation instead.`,
  GROUP_NAME_CONFLICT: () => t`There is a group of this name already. Choose another name.`,
  LAST_OWNER: () => t`The last owner cannot be removed. Make somebody else an owner first.`,
  LAST_OWNER_KEY: () => t`The last key of an owner cannot be removed. Create another one first.`,
  LAST_WAY_IN: () => t`The last way to sign in cannot be removed. Set a password first.`,
  EMAIL_NOT_SET_UP: () => t`This server sends no e-mail. Ask an admin for a link.`,
  PROVIDER_ID_CONFLICT: () => t`There is a provider of this name already. Choose another name.`,
  PROVIDER_BY_ENVIRONMENT: byEnvironment,
  MODEL_PROVIDER_BY_ENVIRONMENT: byEnvironment,
  MODEL_PROVIDER_IN_USE: () => t`Agents or defaults use its models. Give them other models first.`,
  VIRTUAL_USER_BUSY: () => t`A question of this person is still being answered. Try again after that.`,
  WEBHOOK_URL_NOT_ALLOWED: () => t`The server does not send to this address.`,
  WEBHOOK_ENDPOINT_OFF: () => t`The endpoint is switched off. Switch it on first.`,
  WEBHOOK_ENDPOINT_LIMIT: limitReached,
  DELIVERY_WAITING: () => t`The answer is not complete yet.`,
}

const PROBLEMS: [RegExp, (value: string) => string][] = [
  [/^is required/, () => t`This is needed.`],
  [/^must not be empty$/, () => t`This must not be empty.`],
  [/^must have at least (\d+) characters?$/, (count) => t`Length in characters: at least ${count}.`],
  [/^must have at most (\d+) characters?$/, (count) => t`Length in characters: at most ${count}.`],
  [/^must have at most (\d+) items?$/, (count) => t`Number of entries: at most ${count}.`],
  [/^must be at least ([\d.]+)$/, (value) => t`At least ${value}.`],
  [/^must be at most ([\d.]+)$/, (value) => t`At most ${value}.`],
  [/^must be more than ([\d.]+)$/, (value) => t`More than ${value}.`],
  [/^must be a whole number/, () => t`This must be a whole number.`],
  [/^must be (?:an|a valid) e-mail/, () => t`This must be an e-mail address.`],
  [/^must be a URL/, () => t`This must be a URL.`],
  [/^must be an origin/, () => t`This must be an origin, like https://www.example.com, without a path.`],
]
