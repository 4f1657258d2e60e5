import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Prefix of sealed text, so that another form can come beside it. */
const FORM = 'v1.'

export interface SecretBox {
  /** @param context what it belongs to: it opens with the same one only */
  seal(text: string, context: string): string
  /** @throws Error for what this box did not seal for this context */
  open(sealed: string, context: string): string
}

/**
 * Encrypts what is stored but must not be read where it lies (AES-256-GCM).
 * @param purpose boxes of two cannot open each other's
 */
export function createSecretBox(secret: string, purpose: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
  return {
    seal(text, context) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(context))
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return FORM + Buffer.concat([nonce, encrypted, cipher.getAuthTag()]).toString('base64url')
    },
    open(sealed, context) {
      if (!sealed.startsWith(FORM)) throw new Error('This was not sealed here')
      const bytes = Buffer.from(sealed.slice(FORM.length), 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(context))
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}

/** The end of a shorter secret would give it away. */
const HINTED_FROM = 12

/** End of a secret, by which people tell it from others: `…a1b2`; null for a short one. */
export const hintOf = (secret: string): string | null => (secret.length < HINTED_FROM ? null : `…${secret.slice(-4)}`)
