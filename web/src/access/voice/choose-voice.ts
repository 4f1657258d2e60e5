import { withMessages } from '../../platform/language.ts'
import { later } from '../../ui/later.tsx'

/** Dialog that turns dictation and reading aloud on. */
export const VoiceDialog = later(
  async () => (await withMessages('voice', () => import('../voice.pages.ts'))).VoiceDialog,
)
