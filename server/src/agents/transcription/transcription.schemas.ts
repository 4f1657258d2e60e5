import { z } from 'zod'
import { RecordingInBase64 } from './recordings.ts'

export const CreateTranscription = z
  .strictObject({
    audio: RecordingInBase64.meta({
      description: 'Recording in MP3, M4A, WAV, OGG, WebM, FLAC or MP4 of at most 4 MiB, in Base64',
    }),
  })
  .meta({ id: 'CreateTranscription' })

export const TranscriptionReply = z.object({
  data: z
    .object({ text: z.string().meta({ description: 'Words that were said; empty where none were heard' }) })
    .meta({ id: 'Transcription' }),
})

export const TranscriptionAbilityReply = z.object({
  data: z
    .object({ is_available: z.boolean().meta({ description: 'Whether the workspace chose a model for speech' }) })
    .meta({ id: 'TranscriptionAbility', description: 'Whether speech can be transcribed' }),
})
