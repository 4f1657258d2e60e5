/** Content of the form that a person left for the page of a provider. */
export interface SourceDraft {
  /** Integration whose settings were being changed; absent for a new one. */
  integrationId?: string
  kind: string
  name: string
  /** Values without secrets. */
  values: Record<string, string>
}

const KEY = 'docent-source-draft'

export const keepDraft = (draft: SourceDraft): void => sessionStorage.setItem(KEY, JSON.stringify(draft))

export const dropDraft = (): void => sessionStorage.removeItem(KEY)

export function findDraft(): SourceDraft | undefined {
  const text = sessionStorage.getItem(KEY)
  return text === null ? undefined : JSON.parse(text)
}
