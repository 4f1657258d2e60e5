import { allowsOperation, type Caller } from '../access/access.ts'

/** Operations of the tools and resources, by the names that a key's scopes use. */
type Operation =
  | 'agents.list'
  | 'agents.shortcuts.list'
  | 'chats.create'
  | 'chats.queries.create'
  | 'dataSources.list'
  | 'dataSources.readText'
  | 'knowledgeBases.list'

/** A key can do over MCP what it can do over the API: whether its scopes hold all of these operations. */
export const mayDo = ({ scopes }: Caller, ...operations: Operation[]): boolean =>
  !scopes?.operations || operations.every((operation) => allowsOperation(scopes.operations!, operation))
