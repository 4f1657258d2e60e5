import { withMessages } from '../../platform/language.ts'
import { later } from '../../ui/later.tsx'

const load = () => withMessages('composer-notes', () => import('../composer-notes.pages.ts'))

export const OfflineNote = later(async () => (await load()).OfflineNote)
export const OfflineStart = later(async () => (await load()).OfflineStart)
export const PictureNote = later(async () => (await load()).PictureNote)
