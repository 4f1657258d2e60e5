import { t } from '@lingui/core/macro'

/**
 * Trusted Types policy: browsers start workers only from URLs that a policy has checked. These are files of this build.
 */
const policy = (
  globalThis as unknown as {
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createScriptURL(url: string): string },
      ): { createScriptURL(url: string): string }
    }
  }
).trustedTypes?.createPolicy('docent-workers', {
  createScriptURL(url) {
    if (new URL(url, location.href).origin !== location.origin)
      throw new TypeError(t`Workers come from this origin alone`)
    return url
  },
})

/** @param url of a module in this build, as `?worker&url` or `?url` returns it */
export const startWorker = (url: string): Worker => new Worker(policy?.createScriptURL(url) ?? url, { type: 'module' })
