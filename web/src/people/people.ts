// Front of the people: everything that other folders may import.
export { personById, usePerson } from './people.queries.ts'
