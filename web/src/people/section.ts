// What the route of the people loads, in one piece.
export { PeoplePage } from './people-page.tsx'
export { PersonPage } from './person-page.tsx'
