import type { ErrorDescription } from '../../server/src/platform/error-codes/error-description.ts'

/** Codes that the clients for TypeScript and Python give what the server did not answer; with status 0. */
export const CLIENT_CODES: Record<string, Pick<ErrorDescription, 'meaning' | 'cure'>> = {
  CONNECTION_FAILED: {
    meaning: 'The server cannot be reached, or the connection broke and stayed broken',
    cure: 'Compare the address, and look whether the server runs; calls that may be repeated were repeated already',
  },
  TIMEOUT: {
    meaning: 'The answer did not come within the time that the call may take',
    cure: 'Call again, with a longer timeout if the work is long; look first whether it was done where it makes something',
  },
  CANCELLED: {
    meaning: 'The run was cancelled while its answer was read',
    cure: 'No error: the text so far is in the message',
  },
  REDIRECTED: {
    meaning: 'The server sends its callers elsewhere; the API key was not sent there',
    cure: 'Give the address to which it leads as the base URL',
  },
  INVALID_BASE_URL: {
    meaning: 'The base URL of the client is missing, or no http or https URL',
    cure: 'Write it whole: https://docent.example.com',
  },
  INVALID_ID: {
    meaning: 'An id is empty, or would lead to another path; nothing was sent',
    cure: 'Look where the id comes from',
  },
  FILE_UNREADABLE: {
    meaning: 'The file to be uploaded cannot be read, or changed meanwhile',
    cure: 'Look at the path and its rights, and upload again',
  },
  INVALID_ANSWER: {
    meaning: 'The answer is not from a Docent server: a proxy, a login page or another program',
    cure: 'Compare the address: it is that of the server, without /v1',
  },
  WEBHOOK_SIGNATURE_INVALID: {
    meaning: 'A delivery is not from this server, was changed, or is more than five minutes old',
    cure: 'Give the body as it came, not parsed, and the secret of this endpoint; look at the clock of the machine',
  },
  WEBHOOK_SECRET_INVALID: {
    meaning: 'The secret for checking deliveries is malformed',
    cure: 'Take it as it was shown: whsec_ and base64',
  },
  WEBHOOK_KIND_UNEXPECTED: {
    meaning: 'The delivery is an event where the result of an async query was expected, or the other way round',
    cure: 'Read results with unwrap and events with unwrapEvent; type is a field of events alone',
  },
}
