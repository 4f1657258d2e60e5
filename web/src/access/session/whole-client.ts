import { Docent } from '@docent/sdk'
import { line } from './line.ts'

const client = new Docent(line)

/** API client with every call, of the key or account that is signed in: for the pages that set up and look after the workspace. */
export const wholeDocent = (): Docent => client
