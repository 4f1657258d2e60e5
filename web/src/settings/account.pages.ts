// Pages of one's own account, which the router loads as one file.
export { AccountPage } from './account/account-page.tsx'
export { SecondFactorNeeded } from './account/two-factor/needed-page.tsx'
