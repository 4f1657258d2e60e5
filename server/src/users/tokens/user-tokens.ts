import { createHmac, timingSafeEqual } from 'node:crypto'
import { UnauthorizedError } from '../../access/access.ts'

export const USER_TOKEN_PREFIX = 'dcu_'

/** Rights of an end user, as their token says. */
export interface UserToken {
  organizationId: string
  workspaceId: string
  /** Key that made it, without which it opens nothing. */
  keyId: string
  virtualUserId: string
  agentIds: string[]
  /** Folders that answers come from; null for all that the agents have. */
  folderIds: string[] | null
  /** Whether it opens the files that answers cite. */
  readsFiles: boolean
  /** Milliseconds since 1970. */
  expiresAt: number
}

export interface UserTokens {
  sign(token: UserToken): string
  /** Checks the signature alone. @throws UnauthorizedError for what this server did not sign */
  read(token: string): UserToken
}

/** `dcu_CONTENT.SIGNATURE`: nothing is stored of a token. */
export function createUserTokens(secret: string): UserTokens {
  const signatureOf = (content: string) => createHmac('sha256', secret).update(content).digest('base64url')
  return {
    sign(token) {
      const content = Buffer.from(JSON.stringify(token)).toString('base64url')
      return `${USER_TOKEN_PREFIX}${content}.${signatureOf(content)}`
    },
    read(token) {
      const [content = '', signature = ''] = token.slice(USER_TOKEN_PREFIX.length).split('.')
      const given = Buffer.from(signature)
      const expected = Buffer.from(signatureOf(content))
      if (given.length !== expected.length || !timingSafeEqual(given, expected))
        throw new UnauthorizedError('This user token is not one of this server: get another one')
      return JSON.parse(Buffer.from(content, 'base64url').toString())
    },
  }
}
