import { withMessages } from '../../platform/language.ts'
import { later } from '../../ui/later.tsx'

/** Dialog that chooses the language of the UI. */
export const LanguageDialog = later(
  async () => (await withMessages('language', () => import('../language.pages.ts'))).LanguageDialog,
)
