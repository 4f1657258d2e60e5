import type { DataSource } from '@docent/sdk'
import * as pdf from 'pdfjs-dist'
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url'
import { docent } from '../../../access/access.ts'
import { startWorker } from '../../../platform/worker.ts'
import { unawaited } from '../../../ui/unawaited.ts'

/** Folder of the build with PDF.js data: character maps, fonts and decoders that some documents need. */
const DATA_URL = `${location.origin}/assets/pdfjs-${pdf.version}`
const FIRST_BYTES = 256 * 1024

/** Opens a PDF, reading only the parts that are shown. */
export async function openPdf(file: DataSource, signal: AbortSignal): Promise<pdf.PDFDocumentProxy> {
  const readPart = async (begin: number, end: number) => {
    const options = { headers: { range: `bytes=${begin}-${end - 1}` }, signal }
    const response = await docent().dataSources.content(file.knowledge_base_id, file.id, options)
    return new Uint8Array(await response.arrayBuffer())
  }
  const size = file.size_bytes
  const first = await readPart(0, Math.min(size, FIRST_BYTES))
  const range = new pdf.PDFDataRangeTransport(size, first)
  range.requestDataRange = (begin, end) => {
    readPart(begin, end).then(
      (bytes) => range.onDataRange(begin, bytes),
      () => task.destroy(),
    )
  }
  const worker = pdf.PDFWorker.create({ port: startWorker(workerUrl) })
  const task = pdf.getDocument({
    ...(first.length >= size
      ? { data: first }
      : { range, length: size, rangeChunkSize: FIRST_BYTES, disableAutoFetch: true, disableStream: true }),
    worker,
    cMapUrl: `${DATA_URL}/cmaps/`,
    standardFontDataUrl: `${DATA_URL}/standard_fonts/`,
    wasmUrl: `${DATA_URL}/wasm/`,
    // The policy of this page allows no WebAssembly; the decoders exist as scripts, too.
    useWasm: false,
    useWorkerFetch: true,
  })
  signal.addEventListener('abort', () => {
    unawaited(task.destroy())
    worker.destroy()
  })
  return task.promise
}
