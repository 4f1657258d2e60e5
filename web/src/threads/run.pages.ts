// Details of a run, which are loaded when they are unfolded.
export { RunDetails } from './run-details.tsx'
