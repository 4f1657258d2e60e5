import { Docent } from '@docent/sdk'
import { createElement, StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { createTokenClient, type UseChat, useChat } from '../src/index.ts'

/** Parts of a page that the test sets before, and looks at. */
interface TestPage {
  agentId: string
  apiKey?: string
  getToken(): Promise<string>
  /** The hook's last value. */
  chat: UseChat
}

const page = globalThis as unknown as TestPage
const baseUrl = location.origin
const client = page.apiKey
  ? new Docent({ baseUrl, apiKey: page.apiKey })
  : createTokenClient({ baseUrl, getToken: page.getToken })

function Chat() {
  const chat = useChat({ client, agentId: page.agentId })
  useEffect(() => {
    page.chat = chat
  })
  return createElement(
    'main',
    { 'data-status': chat.status },
    chat.messages.map(({ id, state, query, text, citations, review }) =>
      createElement(
        'p',
        { key: id, className: state },
        `${query} > ${text} [${citations.map(({ title }) => title).join()}]${review ? ` ? ${review.tool_name}` : ''}`,
      ),
    ),
  )
}

document.body.replaceChildren(document.createElement('div'))
createRoot(document.body.firstElementChild!).render(createElement(StrictMode, null, createElement(Chat)))
