// Dialog in which the language is chosen, which is loaded with its texts when it is asked for.
export { LanguageDialog } from './language/language-dialog.tsx'
