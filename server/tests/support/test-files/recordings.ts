/** A WAV file of silence, 8 kHz and 8 bits; `mark` makes its bytes others. */
export function recordingOf(seconds: number, mark = 0): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF')
  head.writeUInt32LE(36 + 8_000 * seconds, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt32LE(8_000, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36)
  head.writeUInt32LE(8_000 * seconds, 40)
  return Buffer.concat([head, Buffer.alloc(8_000 * seconds, 128 + mark)])
}

/** Answer of OpenAI's `/v1/audio/transcriptions` with `verbose_json`, as its documentation has it. */
export const verboseAnswer = (seconds: number, ...said: [start: number, end: number, text: string][]) => ({
  status: 200,
  body: {
    task: 'transcribe',
    language: 'english',
    duration: seconds,
    text: said.map(([, , text]) => text).join(' '),
    segments: said.map(([start, end, text], id) => ({
      id,
      seek: 0,
      start,
      end,
      text: ` ${text}`,
      tokens: [50364, 1012, 50457],
      temperature: 0,
      avg_logprob: -0.3,
      compression_ratio: 1.2,
      no_speech_prob: 0.01,
    })),
    usage: { type: 'duration', seconds },
  },
})
