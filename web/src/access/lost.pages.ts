// Page of addresses that lead nowhere, which the router loads as one file.
export { NotFound } from './lost/not-found.tsx'
