import { later } from '../../ui/later.tsx'

const load = () => import('./composer-notes.tsx')

export const OfflineNote = later(async () => (await load()).OfflineNote)
export const OfflineStart = later(async () => (await load()).OfflineStart)
export const PictureNote = later(async () => (await load()).PictureNote)
