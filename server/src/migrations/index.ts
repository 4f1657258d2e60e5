import type { Migrations } from '../platform/database/migrate.ts'
import { firstSchema } from './0001-first-schema.ts'
import { runs } from './0002-runs.ts'
import { usage } from './0003-usage.ts'
import { audit } from './0004-audit.ts'
import { memory } from './0006-memory.ts'
import { links } from './0007-links.ts'
import { sessions } from './0008-sessions.ts'
import { threads } from './0008-threads.ts'
import { places } from './0010-places.ts'
import { processes } from './0011-processes.ts'
import { sharedLimits } from './0011-shared-limits.ts'
import { uploadOwners } from './0013-upload-owners.ts'
import { visitorUse } from './0013-visitor-use.ts'
import { changedArguments } from './0014-changed-arguments.ts'
import { questionFolders } from './0014-question-folders.ts'
import { waitingTasks } from './0015-waiting-tasks.ts'
import { taskTroubles } from './0018-task-troubles.ts'
import { hotChats } from './0019-hot-chats.ts'
import { ownersOnce } from './0020-owners-once.ts'
import { oneOpenIndex } from './0021-one-open-index.ts'
import { accounts } from './0022-accounts.ts'
import { signInProviders } from './0024-sign-in-providers.ts'
import { grants } from './0030-grants.ts'
import { keyRotation } from './0040-key-rotation.ts'
import { mergedUsers } from './0041-merged-users.ts'
import { folderRights } from './0050-folder-rights.ts'
import { askedAs } from './0051-asked-as.ts'
import { twoFactor } from './0052-two-factor.ts'
import { userTokens } from './0060-user-tokens.ts'
import { openAiChats } from './0070-openai-chats.ts'
import { virtualUserGrants } from './0080-virtual-user-grants.ts'
import { agentUse } from './0090-agent-use.ts'
import { secondFactorDemanded } from './0092-second-factor-demanded.ts'
import { scim } from './0093-scim.ts'
import { ownSignInProviders } from './0094-sign-in-providers.ts'
import { passkeys } from './0095-passkeys.ts'
import { narrowedMembers } from './0096-narrowed-members.ts'
import { grantsOfWorkspaces } from './0100-grants-of-workspaces.ts'
import { accountPictures } from './0101-account-pictures.ts'
import { chatBranches } from './0102-chat-branches.ts'
import { accountLanguage } from './0103-account-language.ts'
import { looksOfLinks } from './0104-looks-of-links.ts'
import { idempotentRequests } from './0105-idempotent-requests.ts'
import { modelProviders } from './0110-model-providers.ts'
import { projects } from './0120-projects.ts'
import { openApiTools } from './0135-openapi-tools.ts'
import { archivedChats } from './0140-archived-chats.ts'
import { titlesByModels } from './0145-titles-by-models.ts'
import { fileMetadata } from './0150-file-metadata.ts'
import { syncsSeen } from './0160-syncs-seen.ts'
import { externalIds } from './0190-external-ids.ts'
import { webSearch } from './0200-web-search.ts'
import { mcpLogins } from './0201-mcp-logins.ts'
import { chatShares } from './0202-chat-shares.ts'
import { oauth } from './0203-oauth.ts'
import { integrationItems } from './0204-integration-items.ts'
import { oauthDevices } from './0205-oauth-devices.ts'
import { webhookEndpoints } from './0206-webhook-endpoints.ts'
import { searchIndexes } from './0207-search-indexes.ts'
import { searchInChats } from './0208-search-in-chats.ts'
import { transcription } from './0209-transcription.ts'
import { reranking } from './0211-reranking.ts'
import { indexingSeen } from './0212-indexing-seen.ts'
import { fileEvents } from './0213-file-events.ts'
import { evaluation } from './0217-evaluation.ts'
import { fileVersions } from './0221-file-versions.ts'
import { passageEdits } from './0222-passage-edits.ts'
import { sourceLogins } from './0223-source-logins.ts'
import { casesCountedOnce } from './0226-cases-counted-once.ts'
import { archivesUnpacked } from './0227-archives-unpacked.ts'
import { nightlyEvaluation } from './0228-nightly-evaluation.ts'
import { readerLists } from './0234-reader-lists.ts'
import { speechUsage } from './0238-speech-usage.ts'
import { transcripts } from './0239-transcripts.ts'
import { sourceApps } from './0240-source-apps.ts'
import { passagePositions } from './0243-passage-positions.ts'

/** Migrations in the order of their names; a released one is never changed. */
export const migrations: Migrations = {
  '0001-first-schema': firstSchema,
  '0002-runs': runs,
  '0003-usage': usage,
  '0004-audit': audit,
  '0006-memory': memory,
  '0007-links': links,
  '0008-sessions': sessions,
  '0008-threads': threads,
  '0010-places': places,
  '0011-processes': processes,
  '0011-shared-limits': sharedLimits,
  '0013-upload-owners': uploadOwners,
  '0013-visitor-use': visitorUse,
  '0014-changed-arguments': changedArguments,
  '0014-question-folders': questionFolders,
  '0015-waiting-tasks': waitingTasks,
  '0018-task-troubles': taskTroubles,
  '0019-hot-chats': hotChats,
  '0020-owners-once': ownersOnce,
  '0021-one-open-index': oneOpenIndex,
  '0022-accounts': accounts,
  '0024-sign-in-providers': signInProviders,
  '0030-grants': grants,
  '0040-key-rotation': keyRotation,
  '0041-merged-users': mergedUsers,
  '0050-folder-rights': folderRights,
  '0051-asked-as': askedAs,
  '0052-two-factor': twoFactor,
  '0060-user-tokens': userTokens,
  '0070-openai-chats': openAiChats,
  '0080-virtual-user-grants': virtualUserGrants,
  '0090-agent-use': agentUse,
  '0092-second-factor-demanded': secondFactorDemanded,
  '0093-scim': scim,
  '0094-sign-in-providers': ownSignInProviders,
  '0095-passkeys': passkeys,
  '0096-narrowed-members': narrowedMembers,
  '0100-grants-of-workspaces': grantsOfWorkspaces,
  '0101-account-pictures': accountPictures,
  '0102-chat-branches': chatBranches,
  '0103-account-language': accountLanguage,
  '0104-looks-of-links': looksOfLinks,
  '0105-idempotent-requests': idempotentRequests,
  '0110-model-providers': modelProviders,
  '0120-projects': projects,
  '0135-openapi-tools': openApiTools,
  '0140-archived-chats': archivedChats,
  '0145-titles-by-models': titlesByModels,
  '0150-file-metadata': fileMetadata,
  '0160-syncs-seen': syncsSeen,
  '0190-external-ids': externalIds,
  '0200-web-search': webSearch,
  '0201-mcp-logins': mcpLogins,
  '0202-chat-shares': chatShares,
  '0203-oauth': oauth,
  '0204-integration-items': integrationItems,
  '0205-oauth-devices': oauthDevices,
  '0206-webhook-endpoints': webhookEndpoints,
  '0207-search-indexes': searchIndexes,
  '0208-search-in-chats': searchInChats,
  '0209-transcription': transcription,
  '0211-reranking': reranking,
  '0212-indexing-seen': indexingSeen,
  '0213-file-events': fileEvents,
  '0217-evaluation': evaluation,
  '0221-file-versions': fileVersions,
  '0222-passage-edits': passageEdits,
  '0223-source-logins': sourceLogins,
  '0226-cases-counted-once': casesCountedOnce,
  '0227-archives-unpacked': archivesUnpacked,
  '0228-nightly-evaluation': nightlyEvaluation,
  '0234-reader-lists': readerLists,
  '0238-speech-usage': speechUsage,
  '0239-transcripts': transcripts,
  '0240-source-apps': sourceApps,
  '0243-passage-positions': passagePositions,
}
