import { useCallback } from 'react'
import { identity, onSignOut } from '../../access/access.ts'
import { createStore, useStore } from '../../platform/state/store.ts'
import { createTabStore } from '../../platform/state/tab-store.ts'

interface Drafts {
  /** Key that they were typed with; null: a visitor's. */
  keyId: string | null
  texts: Record<string, string>
}

const NONE: Drafts = { keyId: null, texts: {} }

/** True in a frame for the users of a website: the next one may use the same tab. */
const isOfWebsite = new URLSearchParams(location.search).get('embed') === 'user'
const drafts = isOfWebsite ? createStore<Drafts>(NONE) : createTabStore<Drafts>('docent-drafts-of', NONE)

/**
 * Text of a question that is not asked yet. It outlives the page, and a reload, except for the users of a website.
 * @param key of the chat, or of the agent for a new one
 */
export function useDraft(key: string): [string, (text: string) => void] {
  const text = ownTexts(useStore(drafts))[key] ?? ''
  const setText = useCallback((next: string) => setDraft(key, next), [key])
  return [text, setText]
}

/** Text of a draft now, which a component may have drawn before it changed. */
export const readDraft = (key: string): string => ownTexts(drafts.get())[key] ?? ''

function setDraft(key: string, text: string): void {
  drafts.set((all) => {
    const { [key]: _, ...others } = ownTexts(all)
    return { keyId: ownKeyId(), texts: text === '' ? others : { ...others, [key]: text } }
  })
}

/** Texts of this person only; another person's session may have ended while the page was closed. */
const ownTexts = ({ keyId, texts }: Drafts): Record<string, string> => (keyId === ownKeyId() ? texts : {})

const ownKeyId = (): string | null => identity()?.key.id ?? null

onSignOut(() => drafts.set(NONE))
