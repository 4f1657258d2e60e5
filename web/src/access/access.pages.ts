// Pages for people who are not signed in, which the router loads.
export { JoinPage } from './sign-in/join-page.tsx'
export { PasswordPage } from './sign-in/password-page.tsx'
export { ProviderPage } from './sign-in/provider-page.tsx'
export { SignInPage } from './sign-in/sign-in-page.tsx'
