// Dictation and reading aloud, which are loaded with their texts for those who turned them on.
export { DictateButton } from './voice/dictate-button.tsx'
export { ReadAloudButton } from './voice/read-aloud-button.tsx'
