import type { OwnModels } from '../../platform/models/model-set.ts'
import type { ModelsConfig } from '../../platform/models/models.config.ts'
import { createChosenTranscriber, type Transcriber } from '../../platform/models/transcription/transcribe.ts'

/** Model that transcribes the recordings of a folder, and the workspace that pays for it. */
export interface SpeechModel {
  transcriber: Transcriber
  workspaceId: string
  /** Whether that is the workspace of the key that brought the file. */
  isOfSender: boolean
}

export type FindSpeechModel = ReturnType<typeof createFindSpeechModel>

export interface SpeechModelOptions {
  modelsConfig: ModelsConfig
  /** Providers and choices of a workspace, as they are now. */
  ownModels(of: { organizationId: string; workspaceId: string }): Promise<OwnModels>
  /** First workspace of an organization that chose a model for speech. */
  findSpeechWorkspace(organizationId: string): Promise<string | undefined>
  workspaceOfKey(organizationId: string, keyId: string): Promise<string | undefined>
}

/**
 * Finds the model for a file: that of the workspace whose key brought it, else of the first workspace of the organization
 * that chose one. Folders belong to the organization, and the choice of a model to a workspace.
 */
export function createFindSpeechModel({
  modelsConfig,
  ownModels,
  findSpeechWorkspace,
  workspaceOfKey,
}: SpeechModelOptions) {
  async function of(organizationId: string, workspaceId: string): Promise<Transcriber | undefined> {
    const { providers, defaults } = await ownModels({ organizationId, workspaceId })
    return createChosenTranscriber(modelsConfig, { id: defaults.transcription, own: providers })
  }

  /** @param keyId the key that brought the file, if it is known */
  return async (organizationId: string, keyId: string | null): Promise<SpeechModel | undefined> => {
    const sender = keyId === null ? undefined : await workspaceOfKey(organizationId, keyId)
    const ofSender = sender && (await of(organizationId, sender))
    if (sender && ofSender) return { transcriber: ofSender, workspaceId: sender, isOfSender: true }
    const workspaceId = await findSpeechWorkspace(organizationId)
    const transcriber = workspaceId && (await of(organizationId, workspaceId))
    return transcriber ? { transcriber, workspaceId, isOfSender: false } : undefined
  }
}
