import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './styles/main.css'
import { checkSession, queryClient } from './access/access.ts'
import { refuseStrayFiles } from './platform/files/stray-files.ts'
import { loadLanguage } from './platform/language.ts'
import { router } from './router.tsx'
import { Toasts } from './ui/overlays/toasts.tsx'
import { unawaited } from './ui/unawaited.ts'

unawaited(checkSession())
refuseStrayFiles()
unawaited(loadLanguage().then(render))

function render() {
  createRoot(document.getElementById('root')!).render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <Toasts />
        </QueryClientProvider>
      </I18nProvider>
    </StrictMode>,
  )
}
