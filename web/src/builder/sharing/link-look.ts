import type { AgentLink, CreateAgentLink } from '@docent/sdk'
import type { Language } from '../../../languages/languages.ts'

/** Look of a link in its form. */
export interface LinkLook {
  color: string | null
  position: AgentLink['position']
  /** One question a line. */
  questions: string
  language: Language | null
  /** Address of the logo as it is shown; null for none. */
  logo: string | null
  /** Logo to save, in Base64; null for none, undefined for the one that is there. */
  newLogo?: string | null
}

export const MOST_QUESTIONS = 6

export const lookOf = (link: AgentLink | null): LinkLook => ({
  color: link?.color ?? null,
  position: link?.position ?? 'right',
  questions: link?.starter_questions.join('\n') ?? '',
  language: link?.language ?? null,
  logo: link?.logo_url ?? null,
})

/** Questions of the form, without empty lines. */
export const questionsOf = ({ questions }: LinkLook): string[] =>
  questions
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** A logo that was chosen, to be shown and saved. @param content in Base64 */
export function newLogo(content: string): Pick<LinkLook, 'logo' | 'newLogo'> {
  const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0))
  return { logo: URL.createObjectURL(new Blob([bytes])), newLogo: content }
}

/** Fields of the link that its look becomes. */
export const toLook = (look: LinkLook): CreateAgentLink => ({
  color: look.color,
  position: look.position,
  starter_questions: questionsOf(look),
  language: look.language,
  logo: look.newLogo,
})
