import { hash } from 'node:crypto'
import { AttributionEmail } from '../users/users.ts'

/** A domain that never exists (RFC 2606). */
const DOMAIN = 'user.invalid'

/** E-mail of a person whom an application names: as it is, or one made of another name, always the same for it. */
export function toPersonEmail(name: string): string {
  const email = AttributionEmail.safeParse(name)
  if (email.success) return email.data
  const plain = name.replace(/[^\w.-]+/g, '-').replace(/^[-.]+|[-.]+$|\.(?=\.)/g, '')
  const isSame = plain === name && plain.length <= 40
  const local = isSame ? plain : `${plain.slice(0, 40)}-${hash('sha256', name).slice(0, 8)}`
  return `${local}@${DOMAIN}`.toLowerCase()
}
