import { Command } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { addAgents } from './agents/agents.ts'
import { addAsk } from './ask/ask.ts'
import { addChat } from './ask/chat.ts'
import { addThreads } from './ask/threads.ts'
import { addCompletion } from './completion.ts'
import { addChange } from './drive/change.ts'
import { addGet } from './drive/get.ts'
import { addIndex } from './drive/index-files.ts'
import { addList } from './drive/list.ts'
import { addPassages } from './drive/passages.ts'
import { addPut } from './drive/put.ts'
import { addReaders } from './drive/readers.ts'
import { addSearch } from './drive/search.ts'
import { addVersions } from './drive/versions.ts'
import { addEvals } from './evals/evals.ts'
import { addLogin } from './login.ts'
import { addServe } from './serve.ts'
import { addSync } from './sync/sync.ts'
import { addKeys } from './workspace/keys.ts'
import { addPeople } from './workspace/people.ts'
import { addUsage } from './workspace/usage.ts'
import { addWebhooks } from './workspace/webhooks.ts'

const AFTER = `
Paths in the drive are written drive:/FOLDER/FILE or /FOLDER/FILE.
Without --url and --key: DOCENT_URL and DOCENT_API_KEY, else the login (docent login), else the server of this folder.
Exit codes: 0 done, 1 failed, 2 makes no sense, 3 no server or not let in, 4 not found.`

/** The whole command line. @param isQuiet whether wrong use is only thrown, and not told on standard error */
export function createProgram({ isQuiet = false } = {}): Command {
  const program = createPlain(isQuiet)
  addCompletion(program, createPlain)
  return program
}

function createPlain(isQuiet = false): Command {
  const program = new Command('docent')
    .description('Docent on the command line: files, agents and their answers')
    .version(manifest.version)
    .option('--url <url>', 'server to talk to')
    .option('--key <key>', 'API key')
    .option('--json', 'print one JSON value, for programs')
    .showSuggestionAfterError()
    .helpCommand(false)
    .addHelpText('after', AFTER)
    .exitOverride()
  if (isQuiet) program.configureOutput({ writeErr: () => {} })
  addServe(program)
  addLogin(program)
  addList(program)
  addPut(program)
  addGet(program)
  addChange(program)
  addIndex(program)
  addReaders(program)
  addVersions(program)
  addPassages(program)
  addSearch(program)
  addAsk(program)
  addChat(program)
  addAgents(program)
  addEvals(program)
  addThreads(program)
  addSync(program)
  addPeople(program)
  addKeys(program)
  addUsage(program)
  addWebhooks(program)
  return program
}
