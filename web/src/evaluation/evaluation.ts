// Front of the evaluation: everything that other folders may import.
export { evaluationSearch } from './evaluation-search.ts'
