// What the page of a link loads, in one piece.
export { SharedPage } from './shared-page.tsx'
