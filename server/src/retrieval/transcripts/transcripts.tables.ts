/** Recording of a file, transcribed or about to be: the text lives as long as one of the files with these bytes. */
export interface TranscriptTable {
  organization_id: string
  /** Hash of the recording's bytes. */
  sha256: string
  data_source_id: string
  /** JSON: `Transcript`; null while it is being transcribed. */
  transcript: string | null
  /** `provider/model` that wrote it down. */
  model: string | null
  seconds: number | null
  /** Id of the attempt that writes it down, and until when nobody else may. */
  claim: string | null
  claimed_until: string | null
  created_at: string
}
