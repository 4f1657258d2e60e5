// Page on which a person lets an app act for them, which the router loads as one file.
export { ConsentPage } from './apps/consent-page.tsx'
