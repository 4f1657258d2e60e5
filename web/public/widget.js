// One line puts the chat with an agent on a page: <script src="https://SERVER/widget.js?link=TOKEN" async></script>
// The website's own users are known in it by their user tokens: data-user-token="TOKEN", or data-user-token-function with
// the name of a function of the page that returns one, or a promise of one, and is called again when it has expired.
// It touches nothing of the page: its button and frame live in a shadow root, with a style sheet of their own that no
// policy of the page forbids. The policy has to allow SERVER for scripts (script-src) and frames (frame-src).
{
  /** Look of the link, which the server puts here: color, position and language. */
  const LOOK = {}
  const script = document.currentScript
  const { origin: server, searchParams } = new URL(script.src)
  const token = searchParams.get('link') ?? script.dataset.docent
  const stateKey = `docent.widget.${token}`
  const { userToken, userTokenFunction } = script.dataset
  const isUser = userToken !== undefined || userTokenFunction !== undefined
  /** Time limit for the chat to report that it has loaded. */
  const PATIENCE_MS = 15_000

  const WORDS = {
    en: ['Chat', 'Open the chat', 'Close the chat', 'The chat cannot be shown on this page.', 'Open it in a new tab'],
    de: [
      'Chat',
      'Chat öffnen',
      'Chat schließen',
      'Der Chat kann auf dieser Seite nicht gezeigt werden.',
      'In neuem Tab öffnen',
    ],
    fr: [
      'Chat',
      'Ouvrir le chat',
      'Fermer le chat',
      'Le chat ne peut pas s’afficher sur cette page.',
      'L’ouvrir dans un nouvel onglet',
    ],
    es: [
      'Chat',
      'Abrir el chat',
      'Cerrar el chat',
      'El chat no se puede mostrar en esta página.',
      'Abrirlo en otra pestaña',
    ],
    ru: ['Чат', 'Открыть чат', 'Закрыть чат', 'Чат нельзя показать на этой странице.', 'Открыть в новой вкладке'],
    zh: ['聊天', '打开聊天', '关闭聊天', '无法在此页面上显示聊天。', '在新标签页中打开'],
    ar: [
      'المحادثة',
      'فتح المحادثة',
      'إغلاق المحادثة',
      'لا يمكن عرض المحادثة في هذه الصفحة.',
      'فتحها في علامة تبويب جديدة',
    ],
  }
  const language = [LOOK.language, ...navigator.languages].map((tag) => tag?.split('-')[0]).find((tag) => tag in WORDS)
  const [CHAT, OPEN, CLOSE, NOT_SHOWN, NEW_TAB] = WORDS[language ?? 'en']

  const COLOR = LOOK.color ?? '#2b45a5'
  const SIDE = LOOK.position === 'left' ? 'left' : 'right'
  /** Colour that is read on the other one: white, or black where that is light (WCAG 2, relative luminance). */
  const onColor = (color) => {
    const [red, green, blue] = [1, 3, 5]
      .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff'
  }

  const STYLE = `
    :host { all: initial; position: fixed; inset: auto auto 0 auto; ${SIDE}: 0; z-index: 2147483000; color-scheme: light dark;
      font: 500 15px/1.4 system-ui, sans-serif; }
    button { position: fixed; ${SIDE}: 20px; bottom: 20px; width: 56px; height: 56px; padding: 0; border: 0;
      border-radius: 28px; background: ${COLOR}; color: ${onColor(COLOR)}; cursor: pointer; box-shadow: 0 6px 24px #0005;
      display: grid; place-items: center; transition: filter .15s; }
    button:hover { filter: brightness(.88); }
    button:focus-visible { outline: 3px solid #fff; box-shadow: 0 0 0 6px ${COLOR}; }
    svg { width: 26px; height: 26px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round;
      stroke-linejoin: round; }
    section { position: fixed; ${SIDE}: 20px; bottom: 88px; width: min(410px, calc(100vw - 40px));
      height: min(680px, calc(100dvh - 112px)); border-radius: 16px; overflow: hidden; background: Canvas;
      color: CanvasText; box-shadow: 0 12px 48px #0006; border: 1px solid #8884; }
    section[hidden] { display: none; }
    iframe { display: block; width: 100%; height: 100%; border: 0; }
    p { margin: 24px; } a { color: LinkText; }
    @media (max-width: 520px) {
      section { inset: 0; width: 100vw; height: 100dvh; border: 0; border-radius: 0; }
      section:not([hidden]) + button { display: none; }
    }
    @media (prefers-reduced-motion: reduce) { button { transition: none; } }`

  function remember(isOpen) {
    try {
      sessionStorage.setItem(stateKey, isOpen ? 'open' : '')
    } catch {
      // Storage is disabled: the chat starts closed on the next page.
    }
  }

  function wasOpen() {
    try {
      return sessionStorage.getItem(stateKey) === 'open'
    } catch {
      return false
    }
  }

  /** Answers the chat that asks who uses this page; null if nobody can tell. */
  function tellUser(frame) {
    const tell = (docentUserToken) => frame.contentWindow?.postMessage({ docentUserToken }, server)
    new Promise((resolve) => resolve(userToken ?? window[userTokenFunction]()))
      .then((found) => tell(found ? String(found) : null))
      .catch((error) => {
        console.error(`Docent: the function ${userTokenFunction} gave no user token`, error)
        tell(null)
      })
  }

  function icon(path) {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
    svg.setAttribute('viewBox', '0 0 24 24')
    svg.setAttribute('aria-hidden', 'true')
    const line = document.createElementNS('http://www.w3.org/2000/svg', 'path')
    line.setAttribute('d', path)
    svg.append(line)
    return svg
  }

  function start() {
    const host = document.createElement('docent-chat')
    const root = host.attachShadow({ mode: 'open' })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(STYLE)
    root.adoptedStyleSheets = [sheet]

    const panel = document.createElement('section')
    panel.setAttribute('aria-label', CHAT)
    panel.hidden = true
    const button = document.createElement('button')
    button.type = 'button'
    button.append(icon('M21 12a8 8 0 0 1-8 8H4l1.7-3.4A8 8 0 1 1 21 12Z'))
    root.append(panel, button)

    let frame
    function load() {
      frame = document.createElement('iframe')
      frame.title = CHAT
      frame.allow = 'clipboard-write'
      frame.src = `${server}/shared/${token}?embed${isUser ? '=user' : ''}${LOOK.language ? `&language=${LOOK.language}` : ''}`
      panel.replaceChildren(frame)
      // A frame that a policy blocks reports nothing, so only a timeout can tell.
      frame.timer = setTimeout(() => {
        const words = document.createElement('p')
        words.setAttribute('role', 'alert')
        const link = document.createElement('a')
        link.href = `${server}/shared/${token}`
        link.target = '_blank'
        link.rel = 'noopener'
        link.textContent = NEW_TAB
        words.append(`${NOT_SHOWN} `, link)
        panel.replaceChildren(words)
        frame = undefined
      }, Number(script.dataset.patience) || PATIENCE_MS)
    }

    function show(isOpen, takesFocus = true) {
      if (isOpen && !frame) load()
      panel.hidden = !isOpen
      button.setAttribute('aria-expanded', String(isOpen))
      button.setAttribute('aria-label', isOpen ? CLOSE : OPEN)
      remember(isOpen)
      if (!takesFocus) return
      if (isOpen) frame?.focus()
      else button.focus()
    }

    button.addEventListener('click', () => show(panel.hidden))
    root.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !panel.hidden) show(false)
    })
    addEventListener('message', ({ origin, source, data }) => {
      if (origin !== server || !frame || source !== frame.contentWindow) return
      if (data?.docent === 'ready') clearTimeout(frame.timer)
      if (data?.docent === 'close') show(false)
      if (data?.docent === 'token' && isUser) tellUser(frame)
    })
    // Another user must not see what the last one did.
    addEventListener('docent-user-changed', () => {
      if (!frame) return
      clearTimeout(frame.timer)
      if (panel.hidden) {
        frame = undefined
        panel.replaceChildren()
      } else load()
    })
    show(wasOpen(), false)
    document.body.append(host)
  }

  if (!token) console.error('Docent: the address of the script needs ?link=TOKEN, the token of a link')
  else if (document.body) start()
  else addEventListener('DOMContentLoaded', start)
}
