// Front of the threads: everything that other folders may import.
export { threadSearch } from './thread-search.ts'
