// The preview of a link, whose texts are loaded alone in another language.
export { LinkPreview } from './sharing/link-preview.tsx'
