// Pages on which a person lets an app or a device act for them, which the router loads as one file.
export { ConsentPage } from './apps/consent-page.tsx'
export { DevicePage } from './apps/device-page.tsx'
