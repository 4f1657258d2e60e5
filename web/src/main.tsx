import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './styles/main.css'
import { checkSession, queryClient } from './access/access.ts'
import { refuseStrayFiles } from './platform/stray-files.ts'
import { router } from './router.tsx'
import { Toasts } from './ui/overlays/toasts.tsx'
import { unawaited } from './ui/unawaited.ts'

unawaited(checkSession())
refuseStrayFiles()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toasts />
    </QueryClientProvider>
  </StrictMode>,
)
