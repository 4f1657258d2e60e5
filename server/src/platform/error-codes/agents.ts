import type { ErrorDescription } from './error-description.ts'

/** Errors about agents, chats, and what belongs to them. */
export const AGENT_ERRORS = {
  AGENT_NOT_FOUND: {
    status: 404,
    meaning: 'There is no such agent, or the caller may not see it',
    cause: 'It was deleted, is of another organization, or is not one that the key or the person may use',
    cure: 'Take the id from GET /v1/agents, with the same key',
  },
  JOB_NOT_FOUND: {
    status: 404,
    meaning: 'The agent has no such job',
    cause: 'It was deleted, or is of another agent',
    cure: "Take the id from the list of the agent's jobs",
  },
  SHORTCUT_NOT_FOUND: {
    status: 404,
    meaning: 'The agent has no such shortcut',
    cause: 'It was deleted, or is of another agent',
    cure: "Take the id from the list of the agent's shortcuts",
  },
  AGENT_LINK_NOT_FOUND: {
    status: 404,
    meaning: 'There is no such link to an agent',
    cause: 'It was deleted, has expired or is turned off',
    cure: 'Ask whoever gave the link for another one',
  },
  AGENT_FAILED: {
    status: 500,
    meaning: 'The model or a tool failed while it answered',
    cause: "The model's provider refused or did not answer; the message ends with the reason",
    cure: "Ask again; operators find the provider's own words in the log",
  },
  PROJECT_NOT_FOUND: {
    status: 404,
    meaning: 'There is no such project, or the caller may not see it',
    cause: 'It was deleted, is of another workspace, or its folder is not one that the key or the person may read',
    cure: 'Take the id from GET /v1/projects, with the same key',
  },
  CHAT_NOT_FOUND: {
    status: 404,
    meaning: 'The agent has no such chat, or the caller may not see it',
    cause: 'It was deleted, is of another agent or of somebody else',
    cure: 'Make a chat with POST /v1/agents/{agent_id}/chats',
  },
  CHAT_NOT_EXPORTABLE: {
    status: 400,
    meaning: 'The chat cannot be exported in this format',
    cause: 'It is too long, or has letters that no font of the server has',
    cure: 'Export it as Markdown or JSON; for missing letters the operator can add fonts',
  },
  SHARED_CHAT_NOT_FOUND: {
    status: 404,
    meaning: 'There is no shared chat behind this link',
    cause:
      'Whoever shared it stopped that, deleted the chat or left the workspace, or the link is of another workspace',
    cure: 'Ask whoever gave the link to share the chat again',
  },
  MESSAGE_NOT_FOUND: {
    status: 404,
    meaning: 'The chat has no such message',
    cause: 'It was deleted, or is in another chat',
    cure: 'Take the id from the messages of the chat',
  },
  MESSAGE_ID_CONFLICT: {
    status: 400,
    meaning: 'The id that was chosen for the message is taken',
    cause: 'A message with other content, or in another chat, has it',
    cure: 'Leave message_id out, or make a new one',
  },
  MESSAGE_NOT_WAITING: {
    status: 409,
    meaning: 'The message does not wait for a review',
    cause: 'It never did, or somebody has decided already',
    cure: 'Read the message for its state',
  },
  MEMORY_NOT_FOUND: {
    status: 404,
    meaning: 'Nothing with this id is remembered of this person',
    cause: 'It was forgotten already',
    cure: 'Take the id from the list of memories',
  },
  TOO_MANY_MEMORIES: {
    status: 409,
    meaning: 'As many facts are remembered of this person as may be',
    cause: 'The agent wanted to remember another one',
    cure: 'Forget one that matters less',
  },
  VIRTUAL_USER_NOT_FOUND: {
    status: 404,
    meaning: 'The workspace has no such virtual user',
    cause: 'It was removed, or is of another workspace',
    cure: 'Take the id from the list of virtual users',
  },
  VIRTUAL_USER_BUSY: {
    status: 409,
    meaning: 'The virtual user cannot be merged now',
    cause: 'A question of this person is being answered, or waits for a review',
    cure: 'Merge again once it has ended',
  },
  SAME_VIRTUAL_USER: {
    status: 409,
    meaning: 'A virtual user cannot be merged into itself',
    cause: 'Both ids are the same',
    cure: 'Name another one in into_virtual_user_id',
  },
  QUOTA_NOT_FOUND: {
    status: 404,
    meaning: 'The workspace has no quota with this id',
    cause: 'It was deleted, or is of another workspace',
    cure: 'Take the id from the list of quotas',
  },
  QUOTA_EXCEEDED: {
    status: 429,
    meaning: 'A quota is used up',
    cause: 'The message says whose, of what, and when it begins anew',
    cure: 'Wait as many seconds as Retry-After says, or have an admin raise the quota',
  },
  WEBHOOK_URL_NOT_ALLOWED: {
    status: 400,
    meaning: 'The server does not send to this address',
    cause: 'It is private or special, not http(s), has credentials in it or does not resolve',
    cure: 'Use a public https address, or have the operator add it to DOCENT_OUTBOUND_ALLOW',
  },
  WEBHOOK_ENDPOINT_NOT_FOUND: {
    status: 404,
    meaning: 'The workspace has no such webhook endpoint',
    cause: 'It was deleted, or the id is of another workspace',
    cure: 'Take the id from the list of webhook endpoints',
  },
  WEBHOOK_ENDPOINT_LIMIT: {
    status: 409,
    meaning: 'The workspace has as many webhook endpoints as it may have',
    cause: 'Twenty were added',
    cure: 'Delete one first, or let one receive more types of events',
  },
  DELIVERY_NOT_FOUND: {
    status: 404,
    meaning: 'The workspace has no such webhook delivery',
    cause: 'Its time to be kept is over, or the id is of another workspace',
    cure: 'Take the id from the list of webhook deliveries',
  },
  DELIVERY_WAITING: {
    status: 409,
    meaning: 'There is nothing to deliver yet',
    cause: 'The message is still being answered',
    cure: 'Wait until the message is complete',
  },
  MODEL_NOT_FOUND: {
    status: 404,
    meaning: 'No agent goes by the name that was sent as model',
    cause: 'The id or the name is wrong, or the key may not use the agent',
    cure: 'Take one from GET /openai/v1/models',
  },
  TRANSCRIPTION_NOT_SET_UP: {
    status: 409,
    meaning: 'Speech cannot be written down here',
    cause: 'The workspace chose no model for that',
    cure: 'Choose one in Settings → Models, or by modelDefaults.put',
  },
  MODEL_PROVIDER_NOT_FOUND: {
    status: 404,
    meaning: 'The workspace has no such model provider',
    cause: 'It was removed, or is of another workspace',
    cure: 'Take the name from the list of model providers',
  },
  MODEL_PROVIDER_BY_ENVIRONMENT: {
    status: 409,
    meaning: 'The API cannot change this model provider',
    cause: 'An operator set it in the environment of the server',
    cure: 'Change it there, or choose another name',
  },
  MODEL_PROVIDER_IN_USE: {
    status: 409,
    meaning: 'The model provider cannot be removed yet',
    cause: 'Agents, or a default of the workspace, use its models',
    cure: 'Give them other models first; the message names them',
  },
  MCP_LOGIN_FAILED: {
    status: 409,
    meaning: 'The login at an MCP server did not come about',
    cause:
      'The server asks for no login, its authorization server refused, or the login was begun elsewhere or is over',
    cure: 'Do what the message says, and connect once more',
  },
  WEB_SEARCH_NOT_FOUND: {
    status: 404,
    meaning: 'The workspace has no provider of web search',
    cause: 'None was set up, or it was removed',
    cure: 'Set one with PUT /v1/workspaces/{workspace_id}/web-search',
  },
  RESPONSE_NOT_FOUND: {
    status: 404,
    meaning: 'There is no response with this id',
    cause: 'It was deleted, or was made with another key',
    cure: 'Send the conversation instead of previous_response_id',
  },
} as const satisfies Record<string, ErrorDescription>
