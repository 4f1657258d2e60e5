import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Timestamp } from '../platform/http/validation/schemas.ts'
import { describeIdentity, type IdentityOptions } from './access.routes.ts'
import { Identity } from './access.schemas.ts'
import type { Caller } from './caller.ts'
import { sessionTokenOf, setSessionCookie } from './sessions/session-cookie.ts'
import {
  LONGEST_SESSION_MS,
  type OpenedSession,
  type SessionOrigin,
  type SessionService,
} from './sessions/sessions.service.ts'
import type { SessionRecord } from './sessions/sessions.store.ts'

const SecondFactorKind = z.enum(['code', 'passkey'])
export type SecondFactorKind = z.infer<typeof SecondFactorKind>

const WebSession = z
  .object({
    state: z.enum(['signed_in', 'signed_out', 'second_factor']).meta({
      description: 'second_factor: the password was right, and a code or a passkey is to follow within five minutes',
    }),
    second_factors: z
      .array(SecondFactorKind)
      .meta({ description: 'Factors that may follow the password; empty unless the state is second_factor' }),
    reason: z.string().nullable().meta({ description: 'For a person: why a session that was there has ended' }),
    identity: Identity.nullable().meta({ description: 'Null unless signed in' }),
    created_at: Timestamp.nullable(),
    expires_at: Timestamp.nullable().meta({ description: 'Moves on while the session is used, at most to 30 days' }),
  })
  .meta({ id: 'WebSession', description: 'Whether a browser is signed in, and as whom' })

export const WebSessionReply = z.object({ data: WebSession })

export interface BeginSessionOptions extends IdentityOptions {
  sessions: SessionService
  config: IdentityOptions['config'] & { http: { publicUrl?: string } }
}

/**
 * Hands a session that was just opened to the browser, and ends the one that it had: a token that somebody planted
 * there before never stands for anyone who signs in.
 */
export async function beginSession(
  options: BeginSessionOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  { token, caller, session }: OpenedSession,
): Promise<{ data: z.input<typeof WebSession> }> {
  const before = sessionTokenOf(request)
  if (before !== undefined) await options.sessions.close(before)
  setSessionCookie(request, reply, {
    token,
    maxAgeSeconds: LONGEST_SESSION_MS / 1000,
    publicUrl: options.config.http.publicUrl,
  })
  return signedIn(options, caller, session)
}

export const signedIn = async (options: IdentityOptions, caller: Caller, session: SessionRecord) => ({
  data: {
    state: 'signed_in' as const,
    second_factors: [],
    reason: null,
    identity: await describeIdentity(options, caller),
    created_at: session.createdAt,
    expires_at: session.expiresAt,
  },
})

export const signedOut = (reason: string | null): { data: z.input<typeof WebSession> } => ({
  data: { state: 'signed_out', second_factors: [], reason, identity: null, created_at: null, expires_at: null },
})

/** Answer to a right password of an account that has a second factor: nobody is signed in yet. */
export const secondFactorNeeded = (kinds: SecondFactorKind[]): { data: z.input<typeof WebSession> } => ({
  data: {
    state: 'second_factor',
    second_factors: kinds,
    reason: null,
    identity: null,
    created_at: null,
    expires_at: null,
  },
})

/** Longer ones are cut: no browser sends them. */
const LONGEST_USER_AGENT = 400

/** Origin of a session, to recognise it by. */
export const originOf = (request: FastifyRequest): SessionOrigin => ({
  address: request.ip,
  userAgent: request.headers['user-agent']?.slice(0, LONGEST_USER_AGENT) ?? null,
})
