// Pages for people who come with a link, which the router loads.
export { JoinPage } from './join-page.tsx'
export { PasswordPage } from './password-page.tsx'
export { ProviderPage } from './provider-page.tsx'
