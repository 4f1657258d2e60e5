import { Docent } from '@docent/sdk'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import {
  answer,
  type ModelServer,
  type Script,
  startModelServer,
} from '../../../../server/tests/support/models/model-server.ts'
import { launchBrowser } from '../browser.ts'
import { type RunningDocent, startDocent } from '../docent.ts'

/** Server and browser shared by the tests of a file. */
export interface Scripted {
  server: RunningDocent
  browser: Browser
  /** Client with the owner's key. */
  docent: Docent
  /** Replaces the model's script. */
  script: Script
}

/** Starts a server with a scripted model and a browser before the tests of a file, and stops both after them. */
export function startScripted(settings: Record<string, string> = {}): Scripted {
  const shared = { script: () => answer('Good day!') } as unknown as Scripted
  let model: ModelServer
  beforeAll(async () => {
    model = await startModelServer({
      script: (request, index) => shared.script(request, index),
      list: () => ({
        data: [
          { id: 'scripted', context_length: 200_000 },
          { id: 'second', supported_parameters: ['tools'] },
        ],
      }),
    })
    shared.server = await startDocent({
      OPENAI_COMPATIBLE_BASE_URL: model.openaiUrl,
      DOCENT_MODEL: 'openai-compatible/scripted',
      DOCENT_SAMPLE: 'false',
      ...settings,
    })
    shared.docent = new Docent({ baseUrl: shared.server.url, apiKey: shared.server.apiKey })
    shared.browser = await launchBrowser()
  }, 180_000)
  afterAll(async () => {
    await shared.browser?.close()
    await shared.server?.stop()
    await model?.close()
  })
  return shared
}
