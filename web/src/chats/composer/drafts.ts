import { useCallback } from 'react'
import { onSignOut } from '../../access/access.ts'
import { createStore, useStore } from '../../platform/store.ts'
import { createTabStore } from '../../platform/tab-store.ts'

/** In a frame for the users of a website: the next one may come to the same tab. */
const isOfWebsite = new URLSearchParams(location.search).get('embed') === 'user'
const drafts = isOfWebsite
  ? createStore<Record<string, string>>({})
  : createTabStore<Record<string, string>>('docent-drafts', {})

/**
 * Text of a question that is not asked yet. It outlives the page, and a reload, except for the users of a website.
 * @param key of the chat, or of the agent for a new one
 */
export function useDraft(key: string): [string, (text: string) => void] {
  const text = useStore(drafts)[key] ?? ''
  const setText = useCallback((next: string) => setDraft(key, next), [key])
  return [text, setText]
}

/** Text of a draft now, which a component may have drawn before it changed. */
export const readDraft = (key: string): string => drafts.get()[key] ?? ''

function setDraft(key: string, text: string): void {
  drafts.set(({ [key]: _, ...others }) => (text === '' ? others : { ...others, [key]: text }))
}

onSignOut(() => drafts.set({}))
