import { OutboundNotAllowedError } from '../../outbound/outbound-guard.ts'
import type { ModelProvider } from '../model-provider.ts'
import { ModelError } from './model.errors.ts'

/** The error for a provider to which no connection came about, or that closed it before an answer. */
export function connectionError(provider: ModelProvider, cause: unknown): ModelError {
  if (cause instanceof OutboundNotAllowedError)
    return new ModelError(
      'unreachable',
      `${provider.label} cannot be reached: its address is one that requests may not go to, unless the operator allows it with DOCENT_OUTBOUND_ALLOW`,
      { detail: cause.message },
    )
  const code = codeOf(cause)
  // The address would tell an outsider about the network behind this server.
  const detail = `at ${hostOf(provider.baseUrl)}`
  if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET') {
    return new ModelError('unreachable', `${provider.label} closed the connection without an answer`, {
      isRetryable: true,
      detail,
    })
  }
  const why =
    CONNECTION_REASONS[code] ?? (isTlsCode(code) ? 'its TLS certificate is not accepted' : 'the connection failed')
  return new ModelError(
    'unreachable',
    `${provider.label} cannot be reached: ${why}${code && ` (${code})`}. Check ${provider.urlSetting}`,
    { detail },
  )
}

const CONNECTION_REASONS: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  EPROTO: 'it does not speak TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS',
  HPE_INVALID_CONSTANT: 'it does not speak HTTP',
}

function codeOf(cause: unknown): string {
  for (let error = cause, depth = 0; error && depth < 5; depth++) {
    const { code, cause: inner } = error as { code?: unknown; cause?: unknown }
    if (typeof code === 'string') return code
    error = inner
  }
  return ''
}

function isTlsCode(code: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL/.test(code)
}

function hostOf(baseUrl: string): string {
  return URL.parse(baseUrl)?.host ?? 'its address'
}
