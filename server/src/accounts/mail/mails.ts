import type { Role } from '../../access/access.ts'
import type { Mail } from './mailer.ts'

interface InvitationMail {
  to: string
  organization: string
  workspace: string
  role: Role
  url: string
  expiresAt: string
}

export const invitationMail = ({ to, organization, workspace, role, url, expiresAt }: InvitationMail): Mail => ({
  to,
  subject: `Invitation to ${workspace} of ${organization}`,
  text: `You are invited to the workspace ${workspace} of ${organization}, with the role ${role}.

Open this link to join; it works once, until ${inWords(expiresAt)}:

${url}

If you did not expect this, you need not do anything.
`,
})

export const passwordMail = ({ to, url, expiresAt }: { to: string; url: string; expiresAt: string }): Mail => ({
  to,
  subject: 'A new password for Docent',
  text: `Somebody asked for a new password for your account ${to}.

Open this link to set one; it works once, until ${inWords(expiresAt)}, and signs every browser out:

${url}

If it was not you, you need not do anything: your password stays as it is.
`,
})

/** `2026-01-31 09:30 UTC` */
const inWords = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`
