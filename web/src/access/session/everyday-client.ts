import type { CallOptions, DocentOptions } from '@docent/sdk'
import {
  agents,
  chats,
  createTransport,
  dataSources,
  files,
  knowledgeBases,
  models,
  projects,
  reviews,
  session,
  shared,
  shares,
  transcription,
} from '@docent/sdk/parts'

/** API client with what chats, documents and agents need: every page loads it. `wholeDocent()` has the rest. */
export type EverydayClient = ReturnType<typeof everydayClient>

export function everydayClient(options: DocentOptions) {
  const transport = createTransport(options)
  return {
    me: (options?: CallOptions) => transport.data('GET /me', [], options),
    account: { get: (options?: CallOptions) => transport.data('GET /account', [], options) },
    members: {
      picture: (id: string, options?: CallOptions) => transport.open('GET /members/{member_id}/picture', [id], options),
    },
    agents: agents(transport),
    chats: chats(transport),
    dataSources: dataSources(transport),
    files: files(transport),
    knowledgeBases: knowledgeBases(transport),
    models: models(transport),
    projects: projects(transport),
    reviews: reviews(transport),
    session: session(transport),
    shared: shared(transport),
    shares: shares(transport),
    transcription: transcription(transport),
  }
}
