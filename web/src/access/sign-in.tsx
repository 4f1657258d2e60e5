import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import { withMessages } from '../platform/language.ts'

const Page = lazyRouteComponent(() => withMessages('access', () => import('./access.pages.ts')), 'SignInPage')

/** Page on which somebody signs in, loaded when it is needed. @param because what it says first */
export const SignIn = (props: { because: string | null }) => (
  <Suspense>
    <Page {...props} />
  </Suspense>
)
