// Front of the people: everything that other folders may import.
export { personById } from './people.queries.ts'
