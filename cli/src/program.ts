import { Command } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { addAgents } from './agents/agents.ts'
import { addAsk } from './ask/ask.ts'
import { addChat } from './ask/chat.ts'
import { addChange } from './drive/change.ts'
import { addGet } from './drive/get.ts'
import { addList } from './drive/list.ts'
import { addPut } from './drive/put.ts'
import { addSearch } from './drive/search.ts'
import { addLogin } from './login.ts'

const AFTER = `
Paths in the drive are written drive:/FOLDER/FILE or /FOLDER/FILE.
Without --url and --key: DOCENT_URL and DOCENT_API_KEY, else the login (docent login), else the server of this folder.
Exit codes: 0 done, 1 failed, 2 makes no sense, 3 no server or not let in, 4 not found.`

/** The whole command line. */
export function createProgram(): Command {
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
  addLogin(program)
  addList(program)
  addPut(program)
  addGet(program)
  addChange(program)
  addSearch(program)
  addAsk(program)
  addChat(program)
  addAgents(program)
  return program
}
