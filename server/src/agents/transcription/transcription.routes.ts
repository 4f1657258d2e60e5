import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { failures } from '../../platform/http/failures.ts'
import { LARGEST_BODY, readRecording } from './recordings.ts'
import { CreateTranscription, TranscriptionAbilityReply, TranscriptionReply } from './transcription.schemas.ts'
import type { TranscriptionService } from './transcription.service.ts'

const tags = ['Transcription']
const everyKey = { config: { access: { who: 'caller' } } } as const

/** Routes that transcribe speech. */
export const transcriptionRoutes =
  ({ transcription }: { transcription: TranscriptionService }): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/transcription',
      {
        ...everyKey,
        schema: {
          operationId: 'transcription.get',
          tags,
          summary: 'Get whether the workspace has a transcription model',
          response: { 200: TranscriptionAbilityReply, ...failures(401, 403) },
        },
      },
      async ({ caller }) => ({ data: { is_available: await transcription.isAvailable(caller) } }),
    )

    app.post(
      '/transcription',
      {
        ...everyKey,
        bodyLimit: LARGEST_BODY,
        schema: {
          operationId: 'transcription.create',
          tags,
          summary: 'Write down a recording with the model that the workspace chose for speech',
          description: 'The recording goes to the provider of the model, and is not kept.',
          body: CreateTranscription,
          response: { 200: TranscriptionReply, ...failures(400, 401, 403, 409, 413, 429, 500) },
        },
      },
      async ({ caller, body }, reply) => {
        const left = new AbortController()
        reply.raw.once('close', () => left.abort())
        const recording = readRecording(body.audio, 'audio')
        return { data: { text: await transcription.transcribe(caller, recording, left.signal) } }
      },
    )
  }
