import type { ReactNode } from 'react'
import { Wordmark } from '../../ui/layout/wordmark.tsx'
import { MarkedPage } from '../marked-page.tsx'

/** Frame of the pages for people who are not signed in. @param title name of the page */
export const SignInFrame = ({ title, children }: { title: string; children: ReactNode }) => (
  <main className="grid min-h-dvh bg-paper lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
    <title>{`${title} · Docent`}</title>
    <div className="mx-auto flex w-full max-w-md flex-col justify-center px-6 py-12">
      <h1>
        <Wordmark className="text-5xl" />
      </h1>
      {children}
    </div>
    <MarkedPage />
  </main>
)
