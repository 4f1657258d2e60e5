import { docent } from '../../access/access.ts'
import type { Hearing, Listener } from './hearing.ts'
import { noMicrophone, notAllowed } from './recognize.ts'

/** Speech needs no more, and ten minutes of it are well below what the server takes. */
const BITS_PER_SECOND = 32_000
const LONGEST_MS = 10 * 60_000

/** Formats that browsers record in and providers take, the smallest first. */
const FORMATS = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4']

/** Records what is said until it is stopped, and has the provider of the workspace write it down. */
export function record(listener: Listener): Hearing {
  let recorder: MediaRecorder | undefined
  let isStopped = false
  const cancelling = new AbortController()

  async function run(): Promise<void> {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).catch((error: Error) => {
      throw error.name === 'NotFoundError' ? noMicrophone() : notAllowed()
    })
    const off = () => {
      for (const track of stream.getTracks()) track.stop()
    }
    // It was ended while the person was asked for the microphone.
    if (isStopped) return off()
    const mimeType = FORMATS.find((format) => MediaRecorder.isTypeSupported(format))
    recorder = new MediaRecorder(stream, { mimeType, audioBitsPerSecond: BITS_PER_SECOND })
    const recorded = partsOf(recorder)
    const limit = setTimeout(stop, LONGEST_MS)
    recorder.start()
    try {
      const parts = await recorded
      if (cancelling.signal.aborted) return
      listener.onWriting()
      const audio = await toBase64(new Blob(parts))
      const { text } = await docent().transcription.create({ audio }, { signal: cancelling.signal })
      listener.onSaid(text)
    } finally {
      clearTimeout(limit)
      off()
    }
  }

  function stop() {
    isStopped = true
    if (recorder?.state === 'recording') recorder.stop()
  }

  run().then(
    () => listener.onEnd(),
    (error) => listener.onEnd(cancelling.signal.aborted ? undefined : error),
  )
  return {
    stop,
    cancel() {
      cancelling.abort()
      stop()
    },
  }
}

/** Parts of a recording, once it has ended. */
const partsOf = (recorder: MediaRecorder): Promise<Blob[]> =>
  new Promise((resolve, reject) => {
    const parts: Blob[] = []
    recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
    recorder.addEventListener('stop', () => resolve(parts))
    recorder.addEventListener('error', () => reject(noMicrophone()))
  })

const toBase64 = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result).replace(/^.*?,/, '')))
    reader.addEventListener('error', () => reject(reader.error))
    reader.readAsDataURL(blob)
  })
