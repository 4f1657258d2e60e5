import { agents } from './agents.ts'
import { chats } from './chats.ts'
import { files } from './files.ts'
import { dataSources, knowledgeBases } from './knowledge-bases.ts'
import { type CallOptions, createTransport, type DocentOptions, type Transport } from './transport.ts'
import { virtualUsers } from './virtual-users.ts'

/**
 * A client of the service. Every call throws a DocentError when it fails; requests that can be repeated without harm
 * (reading, and queries) are, when the server or the line to it is away for a moment.
 */
export class Docent {
  readonly knowledgeBases: ReturnType<typeof knowledgeBases>
  readonly dataSources: ReturnType<typeof dataSources>
  readonly files: ReturnType<typeof files>
  readonly agents: ReturnType<typeof agents>
  readonly chats: ReturnType<typeof chats>
  readonly virtualUsers: ReturnType<typeof virtualUsers>
  readonly #transport: Transport

  constructor(options: DocentOptions) {
    this.#transport = createTransport(options)
    this.knowledgeBases = knowledgeBases(this.#transport)
    this.dataSources = dataSources(this.#transport)
    this.files = files(this.#transport)
    this.agents = agents(this.#transport)
    this.chats = chats(this.#transport)
    this.virtualUsers = virtualUsers(this.#transport)
  }

  /** The organization, the workspace and the rights that the key stands for. */
  me(options?: CallOptions) {
    return this.#transport.data<'me.get'>('GET', '/me', options)
  }
}
