// Details of a run, which are loaded when they are unfolded.
export { RunDetails } from './thread/run-details.tsx'
