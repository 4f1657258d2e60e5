import type { ErrorDescription } from './error-description.ts'

/** Errors that every operation may answer with. */
export const REQUEST_ERRORS = {
  VALIDATION_ERROR: {
    status: 400,
    meaning: 'Something in the request is invalid',
    cause:
      'A field is missing, has the wrong type, is out of range or is unknown; the body is not JSON; on the endpoints of virtual users the status is 422',
    cure: 'Change what message says; details names each field by its path',
  },
  NOT_FOUND: {
    status: 404,
    meaning: 'Nothing is served at this path',
    cause: 'The path is misspelt, or a part of it is missing',
    cure: 'Compare the path with /openapi.json; the API starts with /v1',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: 'The path exists, but not with this method',
    cause: 'A GET was sent where the path takes a POST, or the other way round',
    cure: 'Use one of the methods in the header Allow',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    meaning: 'The request was not received completely',
    cause: 'The connection of the client stalled for longer than the server waits',
    cure: 'Send the request again, over a connection that does not stall',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    meaning: 'The body is larger than this operation accepts',
    cause: 'JSON over 1 MiB once inflated (more where the operation says so), or a file over DOCENT_MAX_UPLOAD_BYTES',
    cure: 'Send less at once; documents go through POST /v1/uploaded-files',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    meaning: 'The body has a type or a coding that this operation does not accept',
    cause: 'Content-Type is not application/json, or Content-Encoding is none of gzip, deflate and br',
    cure: 'Send Content-Type: application/json, and a coding that the message names',
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    meaning: 'The Idempotency-Key was used for another request',
    cause: 'The same key came with another method, path or body within 24 hours',
    cure: 'Send the first request again, or choose another key',
  },
  REQUEST_IN_PROGRESS: {
    status: 409,
    meaning: 'A request with this Idempotency-Key is still in progress',
    cause: 'It was sent again before it was answered',
    cure: 'Send it again after Retry-After, with the same key',
  },
  RATE_LIMITED: {
    status: 429,
    meaning: 'Too many requests in a short time',
    cause: 'The key, the visitor or the address sent more than its limit',
    cure: 'Wait as many seconds as Retry-After says; read RateLimit to stay below the limit',
  },
  INTERNAL_ERROR: {
    status: 500,
    meaning: 'The server failed unexpectedly',
    cause: 'A fault of the server, which its log explains',
    cure: 'Send the request again; if it keeps failing, give the operator the x-request-id of the answer',
  },
  UNAVAILABLE: {
    status: 503,
    meaning: 'Something that the server needs is unavailable, or the server is stopping',
    cause:
      'The database, the file storage, the search index or a sign-in provider is away; the disk is full; the process restarts',
    cure: 'Send the request again after Retry-After; operators see the reason at /readyz and with npm run admin -- doctor',
  },
} as const satisfies Record<string, ErrorDescription>
