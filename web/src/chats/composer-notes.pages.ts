// Notes beside the composer, which are loaded with their texts when one is shown.
export { OfflineNote, OfflineStart, PictureNote } from './composer/composer-notes.tsx'
