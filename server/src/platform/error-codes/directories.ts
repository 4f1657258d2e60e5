import type { ErrorDescription } from './error-description.ts'

/** Errors of the SCIM endpoint, which sends them in the form of RFC 7644. */
export const DIRECTORY_ERRORS = {
  SCIM_FILTER_NOT_VALID: {
    status: 400,
    meaning: 'The filter cannot be read',
    cause: 'Its syntax is wrong, or it names something that cannot be filtered by',
    cure: 'Filter by userName or externalId with eq, as the message says',
  },
  SCIM_PATH_NOT_VALID: {
    status: 400,
    meaning: 'A path of the change cannot be read',
    cause: 'Its syntax is wrong, or users have no such attribute',
    cure: 'Name an attribute that /scim/v2/Schemas lists',
  },
  SCIM_TARGET_MISSING: {
    status: 400,
    meaning: 'A change to be removed names nothing',
    cause: 'The operation remove came without a path, or with one that matches nothing',
    cure: 'Give it a path',
  },
  SCIM_VALUE_NOT_VALID: {
    status: 400,
    meaning: 'A value is not one that the attribute accepts',
    cause: 'It is missing, is too long or has the wrong type',
    cure: 'Change what detail says',
  },
  SCIM_SYNTAX_NOT_VALID: {
    status: 400,
    meaning: 'The request is not valid SCIM',
    cause: 'The body does not have the form of RFC 7644',
    cure: 'Change what detail says',
  },
  SCIM_NOT_CHANGEABLE: {
    status: 400,
    meaning: 'The attribute cannot be changed',
    cause: 'It belongs to the server',
    cure: 'Leave it out',
  },
  SCIM_NOT_UNIQUE: {
    status: 409,
    meaning: 'Another user has this value already',
    cause: 'userName or externalId is taken in the workspace',
    cure: 'Change the user that has it, or choose another value',
  },
  SCIM_VERSION_OUTDATED: {
    status: 412,
    meaning: 'The user changed since it was read',
    cause: 'If-Match names an earlier version',
    cure: 'Read the user again, and send the change with its version',
  },
  SCIM_USER_NOT_FOUND: {
    status: 404,
    meaning: 'The workspace has no user with this id',
    cause: 'The user was deleted, or is of another workspace',
    cure: 'Look the user up by userName',
  },
  SCIM_RESOURCE_NOT_FOUND: {
    status: 404,
    meaning: 'There is no such resource',
    cause: 'This server supports Users only',
    cure: 'Ask /scim/v2/ServiceProviderConfig for what it supports',
  },
} as const satisfies Record<string, ErrorDescription>
