// Pages of the agents that are shared by a link, which the router loads as one file.
export { SharedPage } from './shared-page.tsx'
