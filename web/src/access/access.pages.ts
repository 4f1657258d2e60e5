// Pages for people who come with a link, which the router loads.
export { JoinPage } from './sign-in/join-page.tsx'
export { PasswordPage } from './sign-in/password-page.tsx'
export { ProviderPage } from './sign-in/provider-page.tsx'
