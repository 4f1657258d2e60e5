import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const base64Url = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest()

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/** CBOR of what an authenticator writes: small numbers, texts, bytes and maps. */
function cbor(value: number | string | Uint8Array | Map<unknown, unknown>): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  const pairs = [...value].flatMap(([key, one]) => [cbor(key as string), cbor(one as string)])
  return Buffer.concat([head(5, value.size), ...pairs])
}

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size])
  return size < 256 ? Buffer.from([(major << 5) | 24, size]) : Buffer.from([(major << 5) | 25, size >> 8, size & 255])
}

export interface SignFields {
  /** Page that asks, as the browser tells it. */
  origin?: string
  /** Site that the key is used for. */
  rpId?: string
  /** Whether PIN, finger or face were checked. */
  isVerified?: boolean
  /** Default: one more than the last time. */
  counter?: number
  /** Person that the passkey says it is of; null to leave that out. */
  userHandle?: string | null
}

export interface SoftPasskey {
  id: string
  userHandle: string
  privateKey: KeyObject
}

/** An authenticator in software, with the browser around it: real keys and signatures, and as dishonest as a test asks. */
export function softAuthenticator(origin: string) {
  let counter = 0
  const site = new URL(origin).hostname

  const clientData = (type: string, challenge: string, at = origin) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: false }))

  function authData(flags: number, { rpId = site, isVerified = true, counter: given }: SignFields, more: Uint8Array) {
    counter = given ?? counter + 1
    const number = Buffer.alloc(4)
    number.writeUInt32BE(counter)
    const all = flags | USER_PRESENT | (isVerified ? USER_VERIFIED : 0)
    return Buffer.concat([sha256(rpId), Buffer.from([all]), number, more])
  }

  return {
    /** @param options as the server gave them. @param statement of the attestation; none by default */
    make(
      { challenge, user }: { challenge: string; user: { id: string } },
      {
        format = 'none',
        statement = new Map<unknown, unknown>(),
        ...fields
      }: SignFields & {
        format?: string
        statement?: Map<unknown, unknown>
      } = {},
    ) {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const { x, y } = publicKey.export({ format: 'jwk' })
      const cose = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x!, 'base64url')],
        [-3, Buffer.from(y!, 'base64url')],
      ])
      const id = randomBytes(32)
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cbor(cose)])
      const data = authData(HAS_CREDENTIAL, fields, credential)
      const attestation = new Map<unknown, unknown>([
        ['fmt', format],
        ['attStmt', statement],
        ['authData', data],
      ])
      const made: SoftPasskey = { id: base64Url(id), userHandle: user.id, privateKey }
      const answer = {
        id: made.id,
        client_data: base64Url(clientData('webauthn.create', challenge, fields.origin)),
        attestation_object: base64Url(cbor(attestation)),
        transports: ['internal'],
      }
      return { made, answer }
    },

    /** Answer that a browser sends of a passkey that signed the challenge of the options. */
    sign(
      { id, privateKey, userHandle: own }: SoftPasskey,
      { challenge }: { challenge: string },
      fields: SignFields = {},
    ) {
      const data = authData(0, fields, Buffer.alloc(0))
      const client = clientData('webauthn.get', challenge, fields.origin)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      const { userHandle = own } = fields
      return {
        id,
        client_data: base64Url(client),
        authenticator_data: base64Url(data),
        signature: base64Url(signature),
        user_handle: userHandle,
      }
    },
  }
}
