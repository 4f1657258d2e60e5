// Dialog in which dictation and reading aloud are turned on, which is loaded with its texts when it is asked for.
export { VoiceDialog } from './voice/voice-dialog.tsx'
