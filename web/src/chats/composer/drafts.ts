import { useCallback } from 'react'
import { identity, onSignOut } from '../../access/access.ts'
import { createStore, useStore } from '../../platform/state/store.ts'
import { createTabStore } from '../../platform/state/tab-store.ts'
import type { SentFile } from '../answers/live-answer.ts'

export interface DraftFile extends SentFile {
  /** Time from which the server no longer has it, in milliseconds; null: not known. */
  expiresAt: number | null
}

interface Drafts {
  /** Key that they were typed with; null: a visitor's. */
  keyId: string | null
  texts: Record<string, string>
  /** Uploaded files; absent in what an earlier version stored. */
  files?: Record<string, DraftFile[]>
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
  const text = own(useStore(drafts)).texts[key] ?? ''
  const setText = useCallback((next: string) => setDraft(key, next), [key])
  return [text, setText]
}

/** Text of a draft now, which a component may have drawn before it changed. */
export const readDraft = (key: string): string => own(drafts.get()).texts[key] ?? ''

/** Uploaded files of a draft, which last as long as its text. */
export const draftFiles = (key: string): DraftFile[] => own(drafts.get()).files?.[key] ?? []

function setDraft(key: string, text: string): void {
  drafts.set((all) => {
    const { texts, files } = own(all)
    const { [key]: _, ...others } = texts
    return { keyId: ownKeyId(), texts: text === '' ? others : { ...others, [key]: text }, files }
  })
}

export function keepDraftFiles(key: string, kept: DraftFile[]): void {
  drafts.set((all) => {
    const { texts, files = {} } = own(all)
    const { [key]: _, ...others } = files
    return { keyId: ownKeyId(), texts, files: kept.length === 0 ? others : { ...others, [key]: kept } }
  })
}

/** Drafts of this person only; another person's session may have ended while the page was closed. */
const own = (all: Drafts): Drafts => (all.keyId === ownKeyId() ? all : NONE)

const ownKeyId = (): string | null => identity()?.key.id ?? null

onSignOut(() => drafts.set(NONE))
