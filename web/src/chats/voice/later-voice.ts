import { withMessages } from '../../platform/language.ts'
import { later } from '../../ui/later.tsx'

const load = () => withMessages('speech', () => import('../speech.pages.ts'))

export const DictateButton = later(async () => (await load()).DictateButton)
export const ReadAloudButton = later(async () => (await load()).ReadAloudButton)
