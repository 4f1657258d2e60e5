// Pages of the people, which the router loads as one file.
export { PeoplePage } from './people-page.tsx'
export { PersonPage } from './person-page.tsx'
