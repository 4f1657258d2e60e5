import { later } from '../ui/later.tsx'

/** Dialog that chooses the language of the UI. */
export const LanguageDialog = later(async () => (await import('./language-dialog.tsx')).LanguageDialog)
